// All five formats of a report, from a log made by the test.
#include <QDate>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <fstream>
#include <set>

#include "app/report/document.h"
#include "app/report/headless.h"
#include "app/report/report.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "report/made_log.h"
#include "viewers/offscreen.h"

using namespace assay;
using namespace assay::test;

namespace {

QString output_of(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  if (!process.waitForFinished(30'000) || process.exitCode() != 0) {
    return "failed: " + QString::fromUtf8(process.readAllStandardError());
  }
  return QString::fromUtf8(process.readAllStandardOutput());
}

}  // namespace

class FormatsTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    log_directory_ = folder_.filePath("log").toStdString();
    made_ = make_log(log_directory_);
    Log log(log_directory_, Log::Mode::read_only);
    spec_.runs = made_.runs;
    spec_.group_by = {"method"};
    spec_.baseline = "beta";
    spec_.author = "R. Researcher & Co.";
    spec_.notes = "What we *asked*.\n\n<script>alert(1)</script>";
    out_ = folder_.filePath("out").toStdString();
    files_ = export_report(log, made_plugins(), spec_, out_);
  }

  void writesAllFiles() {
    for (const char* name :
         {"report.html", "report.pdf", "report.tex", "report.md", "runs.csv", "curves.csv",
          "figures/figure-1.pdf", "figures/figure-1.svg", "figures/figure-2.pdf"}) {
      QVERIFY2(std::filesystem::file_size(out_ / name) > 0, name);
    }
    for (const auto& file : files_) QVERIFY(std::filesystem::exists(file));
  }

  void htmlIsSelfContainedAndEscaped() {
    const QString html = text("report.html");
    QVERIFY(html.startsWith("<!DOCTYPE html>"));
    QVERIFY(!html.contains("src="));
    QVERIFY(!html.contains("url("));
    QVERIFY(!html.contains("<link"));
    QVERIFY(!html.contains("<script"));
    static const QRegularExpression address("(href|xlink:href)=\"(?!#)");
    QVERIFY(!address.match(html).hasMatch());
    QCOMPARE(html.count("<svg"), 2);
    QVERIFY(html.contains("&lt;b&gt;βeta&lt;/b&gt;"));
    QVERIFY(html.contains("<em>asked</em>") || html.contains("asked"));
    QVERIFY(!html.contains("<image"));
    // Well-formed enough for a strict reader: the body as XML.
    const qsizetype from = html.indexOf("<main>"), to = html.indexOf("</main>") + 7;
    QXmlStreamReader xml("<!DOCTYPE x [<!ENTITY nbsp \" \">]>" +
                         html.mid(from, to - from).replace("<br>", "<br/>"));
    while (!xml.atEnd()) xml.readNext();
    QVERIFY2(!xml.hasError(),
             qPrintable(xml.errorString() + " at line " + QString::number(xml.lineNumber())));
  }

  void everyFormatTellsHowToReproduce() {
    for (const char* name : {"report.html", "report.md", "report.tex"}) {
      const QString content = text(name);
      for (const std::string& id : made_.runs) {
        QVERIFY2(content.contains(QString::fromStdString(id)), name);
      }
      for (const char* fact : {"0123456789abcdef", "uncommitted", "Debian 12", "1.2.3"}) {
        QVERIFY2(content.contains(fact), qPrintable(QString("%1 lacks %2").arg(name, fact)));
      }
      QVERIFY2(content.contains(QString(64, 'a')), name);        // the data's digest
      QVERIFY2(content.contains(QString(60, 'f') + "2"), name);  // the state's
      QVERIFY2(content.contains("assay-run run"), name);
    }
  }

  void resultsAreRight() {
    const QString markdown = text("report.md");
    // alpha is 0.05 better than beta for every seed, its wiggle being the same.
    QVERIFY(markdown.contains("+0.05"));
    QVERIFY(markdown.contains("Small sample"));
    QVERIFY(markdown.contains("Target accuracy"));
    QVERIFY(markdown.contains("Loss \\[nats\\]"));
    QVERIFY(markdown.contains("| rank | not set | 1 |"));
    QVERIFY(markdown.contains("Alpha beats beta"));
    QVERIFY(markdown.contains("undecided"));
  }

  void pdfIsVectorWithSelectableText() {
    const QString path = QString::fromStdString((out_ / "report.pdf").string());
    const QString images = output_of("pdfimages", {"-list", path});
    QCOMPARE(images.split('\n', Qt::SkipEmptyParts).size(), 2);  // its heading only
    const QString content = output_of("pdftotext", {"-layout", path, "-"});
    for (const char* word : {"A made paper: Trial", "Results", "Target accuracy",
                             "How to reproduce", "state_sha256", "Figure 1.", "alpha (mean of 3)",
                             "R. Researcher & Co.", "0123456789abcdef", "(Student's t)"}) {
      QVERIFY2(content.contains(word), qPrintable(QString("no \"%1\" in:\n%2").arg(word, content)));
    }
    QVERIFY(!content.contains("@@figure"));
    QVERIFY(content.contains(QDate::currentDate().toString(Qt::ISODate)));  // hyphens stay
    QCOMPARE(content.count("Figure 1."), 1);
    const QString bytes =
        QString::fromLatin1(QByteArray::fromStdString(read_text(out_ / "report.pdf")));
    QVERIFY(!bytes.contains("/Subtype /Image"));
    const QString figure = QString::fromStdString((out_ / "figures/figure-1.pdf").string());
    QCOMPARE(output_of("pdfimages", {"-list", figure}).split('\n', Qt::SkipEmptyParts).size(), 2);
    QVERIFY(output_of("pdftotext", {figure, "-"}).contains("Target accuracy"));
  }

  void latexEscapesEverything() {
    QCOMPARE(latexText("50% & #1_x {a} $b$ ^ ~ \\ <>"),
             QString("50\\% \\& \\#1\\_x \\{a\\} \\$b\\$ \\textasciicircum{} \\textasciitilde{} "
                     "\\textbackslash{} \\textless{}\\textgreater{}"));
    QCOMPARE(latexText("0.5 ± 0.1, −1, β ≥ 中😀"),
             QString("0.5 $\\pm$ 0.1, $-$1, $\\beta$ $\\geq$ [U+4E2D][U+1F600]"));
    QCOMPARE(latexText("--seed 1"), QString("-{}-seed 1"));
    const QString tex = text("report.tex");
    QVERIFY(tex.contains("\\usepackage{booktabs}"));
    QVERIFY(tex.contains("\\includegraphics[width=\\linewidth]{figures/figure-1.pdf}"));
    QVERIFY(tex.contains("\\toprule") && tex.contains("\\bottomrule"));
    checkLatex(tex);
  }

  void markdownPointsToItsFigures() {
    const QString markdown = text("report.md");
    static const QRegularExpression figure("!\\[[^\\n]*\\]\\((figures/[^)]+)\\)");
    auto matches = figure.globalMatch(markdown);
    int found = 0;
    while (matches.hasNext()) {
      ++found;
      QVERIFY(std::filesystem::exists(out_ / matches.next().captured(1).toStdString()));
    }
    QCOMPARE(found, 2);
    QVERIFY(markdown.contains("\\| \\#1"));
  }

  void csvReadsBack() {
    const Table runs = read_csv(out_ / "runs.csv");
    QCOMPARE(runs.rows.size(), std::size_t{6});
    const Table curves = read_csv(out_ / "curves.csv");
    QCOMPARE(curves.rows.size(), std::size_t{6 * 2 * 41});
    const auto name = std::find(runs.columns.begin(), runs.columns.end(), "name");
    const auto column = static_cast<std::size_t>(name - runs.columns.begin());
    QCOMPARE(runs.rows[3][column], std::string("<b>βeta</b> \\ 100% | #1 \"q\" 中 😀"));
  }

  void theSameSpecGivesTheSameText() {
    Log log(log_directory_, Log::Mode::read_only);
    ReportSpec spec = spec_;
    spec.dated = false;
    const std::filesystem::path a = folder_.filePath("a").toStdString();
    const std::filesystem::path b = folder_.filePath("b").toStdString();
    const std::set<ReportFormat> texts{ReportFormat::html, ReportFormat::latex,
                                       ReportFormat::markdown, ReportFormat::csv};
    export_report(log, made_plugins(), spec, a, texts);
    export_report(log, made_plugins(), spec, b, texts);
    for (const char* name : {"report.html", "report.tex", "report.md", "runs.csv", "curves.csv",
                             "figures/figure-1.svg"}) {
      QVERIFY2(read_text(a / name) == read_text(b / name), name);
    }
  }

  void notFiniteAndMissingValuesAreSaid() {
    Log log(log_directory_, Log::Mode::read_only);
    ReportSpec spec;
    spec.runs = {made_.not_finite, made_.without_metrics};
    const std::filesystem::path out = folder_.filePath("odd").toStdString();
    export_report(log, made_plugins(), spec, out);
    const QString markdown = QString::fromStdString(read_text(out / "report.md"));
    QVERIFY(markdown.contains("nan"));
    QVERIFY(markdown.contains("none"));
    QVERIFY(markdown.contains("left out"));
    ReportSpec silent;
    silent.runs = {made_.without_metrics};
    export_report(log, made_plugins(), silent, out);
    QVERIFY(read_text(out / "report.md").find("wrote no metrics") != std::string::npos);
    QVERIFY(read_text(out / "curves.csv").starts_with("run,group,seed,metric"));
  }

  void anUnknownPaperStillReports() {
    Log log(log_directory_, Log::Mode::read_only);
    const Document document = build_document(log, {}, spec_);
    QCOMPARE(document.title, QString("made_paper: Trial"));
    QVERIFY(toMarkdown(document, "figures").contains("Accuracy"));
  }

  void faultsAreClear() {
    Log log(log_directory_, Log::Mode::read_only);
    ReportSpec spec;
    const auto message = [&](const ReportSpec& s, const std::filesystem::path& to) -> QString {
      try {
        export_report(log, made_plugins(), s, to);
      } catch (const Error& error) {
        return QString::fromUtf8(error.what());
      }
      return "no fault";
    };
    QVERIFY(message(spec, out_).contains("at least one run"));
    spec.runs = {"zzzzzzzzzz"};
    QVERIFY(message(spec, out_).contains("zzzzzzzzzz"));
    const QString file = folder_.filePath("a_file");
    std::ofstream(file.toStdString()) << "x";
    spec.runs = made_.runs;
    QVERIFY(message(spec, (file + "/below").toStdString()).contains("a_file"));
  }

  void headless() {
    const std::filesystem::path out = folder_.filePath("headless").toStdString();
    QCOMPARE(report_headless(log_directory_, out, {made_.runs[0], "alpha_2"}), 0);
    QVERIFY(std::filesystem::exists(out / "report.pdf"));
    QCOMPARE(report_headless(log_directory_, out, {"nothing_of_that_name"}), 2);
    QCOMPARE(report_headless(log_directory_, out, {}), 0);
    QCOMPARE(read_csv(out / "runs.csv").rows.size(), std::size_t{8});
  }

 private:
  QString text(const char* name) const { return QString::fromStdString(read_text(out_ / name)); }

  // Braces and environments balance, and each row has as many cells as its table has columns.
  static void checkLatex(const QString& tex) {
    int depth = 0;
    for (qsizetype i = 0; i < tex.size(); ++i) {
      if (tex[i] == '\\') {
        ++i;
        continue;
      }
      depth += tex[i] == '{' ? 1 : tex[i] == '}' ? -1 : 0;
      QVERIFY(depth >= 0);
    }
    QCOMPARE(depth, 0);
    QStringList open;
    static const QRegularExpression environment("\\\\(begin|end)\\{([a-z]+)\\}");
    auto matches = environment.globalMatch(tex);
    while (matches.hasNext()) {
      const auto match = matches.next();
      if (match.captured(1) == "begin") {
        open << match.captured(2);
      } else {
        QVERIFY(!open.isEmpty());
        QCOMPARE(open.takeLast(), match.captured(2));
      }
    }
    QVERIFY(open.isEmpty());
    static const QRegularExpression tabular(
        "\\\\begin\\{tabular\\}\\{([^\\n]*)\\}\\n\\\\toprule\\n(.*?)\\\\bottomrule",
        QRegularExpression::DotMatchesEverythingOption);
    auto tables = tabular.globalMatch(tex);
    int count = 0;
    while (tables.hasNext()) {
      const auto match = tables.next();
      QString form = match.captured(1);
      form.remove("p{0.7\\linewidth}");
      const qsizetype columns = form.size() + (match.captured(1).contains("p{") ? 1 : 0);
      for (QString line : match.captured(2).split("\\\\\n", Qt::SkipEmptyParts)) {
        line.remove("\\midrule\n");
        if (line.trimmed().isEmpty()) continue;
        line.remove("\\&");
        QCOMPARE(line.count('&'), columns - 1);
      }
      ++count;
    }
    QVERIFY(count >= 4);
  }

  QTemporaryDir folder_;
  std::string log_directory_;
  MadeLog made_;
  ReportSpec spec_;
  std::filesystem::path out_;
  std::vector<std::filesystem::path> files_;
};

ASSAY_OFFSCREEN_MAIN(FormatsTest)
#include "formats_test.moc"
