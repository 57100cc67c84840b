// A report as PDF: text stays text, figures stay vectors.
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <QTextObjectInterface>

#include "app/report/document.h"
#include "app/viewers/theme.h"

namespace assay {
namespace {

constexpr int figure_type = QTextFormat::UserObject + 1;
constexpr int picture_property = QTextFormat::UserProperty + 1;
const QSize picture_size(640, 300);
constexpr double screen_dpi = 96.0;

QString placeholder(int number) {
  return QString("@@figure-%1@@").arg(number);
}

// Draws the recorded picture where the text has its place for it.
class FigureObject : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)
 public:
  explicit FigureObject(double width) : width_(width) {}
  // A picture drops the page's clipping while it is played: figures of other pages stay away.
  void setPage(double top, double bottom) {
    top_ = top;
    bottom_ = bottom;
  }
  QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat&) override {
    return {width_, width_ * picture_size.height() / picture_size.width()};
  }
  void drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int,
                  const QTextFormat& format) override {
    if (rect.bottom() <= top_ || rect.top() >= bottom_) return;
    QPicture picture = format.property(picture_property).value<QPicture>();
    painter->save();
    painter->translate(rect.topLeft());
    // Playing a picture scales by the device's resolution itself; the rest is ours.
    const double wanted = rect.width() / picture_size.width();
    const double own = painter->device()->logicalDpiX() / screen_dpi;
    painter->scale(wanted / own, wanted / own);
    painter->drawPicture(0, 0, picture);
    painter->restore();
  }

 private:
  double width_;
  double top_ = 0.0, bottom_ = 0.0;
};

// What QTextDocument understands of HTML, with places for the figures.
struct Writer {
  QString out;
  std::vector<const FigureBlock*> figures;
  QString soft = Theme::tokens(ThemeKind::light).soft.name();
  QString line = Theme::tokens(ThemeKind::light).line.name();

  void operator()(const HeadingBlock& block) {
    const bool section = block.level <= 2;
    out += QString(
               "<p style=\"font-size:%1pt; font-weight:600; margin-top:%2px; "
               "margin-bottom:4px\">%3</p>")
               .arg(section ? "13" : "10.5")
               .arg(section ? 22 : 14)
               .arg(htmlText(block.text));
  }
  void operator()(const TextBlock& block) {
    if (block.markdown) {
      QTextDocument notes;
      notes.setMarkdown(block.text,
                        QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub |
                                                        QTextDocument::MarkdownNoHTML));
      const QString html = notes.toHtml();
      const qsizetype from = html.indexOf('>', html.indexOf("<body")) + 1;
      out += html.mid(from, html.indexOf("</body>") - from);
      return;
    }
    out += "<p>" + htmlText(block.text) + "</p>";
  }
  void operator()(const CodeBlock& block) {
    out +=
        "<p style=\"font-family:'DejaVu Sans Mono',monospace; font-size:8pt; "
        "background-color:#f6f7f9\">" +
        htmlText(block.text) + "</p>";
  }
  void operator()(const TableBlock& block) {
    if (!block.caption.isEmpty()) {
      out += QString("<p style=\"color:%1; font-size:8.5pt; margin-bottom:2px\">%2</p>")
                 .arg(soft, htmlText(block.caption));
    }
    out += QString(
        "<table width=\"100%\" cellspacing=\"0\" cellpadding=\"4\" "
        "style=\"font-size:8.5pt\"><thead><tr>");
    for (std::size_t c = 0; c < block.columns.size(); ++c) {
      out += QString("<td align=\"%1\" style=\"color:%2; border-bottom:1px solid #1b1f24\">%3</td>")
                 .arg(block.numeric[c] ? "right" : "left", soft, htmlText(block.columns[c]));
    }
    out += "</tr></thead>";
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      out += "<tr>";
      for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
        const bool strong = !block.strong.empty() && block.strong[r][c];
        out += QString("<td align=\"%1\" style=\"border-bottom:1px solid %2\">%3%4%5</td>")
                   .arg(block.numeric[c] ? "right" : "left", line, strong ? "<b>" : "",
                        htmlText(block.rows[r][c]), strong ? "</b>" : "");
      }
      out += "</tr>";
    }
    out += "</table>";
    if (!block.note.isEmpty()) {
      out +=
          QString("<p style=\"color:%1; font-size:8.5pt\">%2</p>").arg(soft, htmlText(block.note));
    }
  }
  void operator()(const FigureBlock& block) {
    out +=
        "<p>" + placeholder(static_cast<int>(figures.size())) + "</p>" +
        QString("<p style=\"color:%1; font-size:8.5pt\">%2</p>").arg(soft, htmlText(block.caption));
    figures.push_back(&block);
  }
};

void putFigures(QTextDocument& text, const std::vector<const FigureBlock*>& figures) {
  for (std::size_t i = 0; i < figures.size(); ++i) {
    QTextCursor place = text.find(placeholder(static_cast<int>(i)));
    if (place.isNull()) continue;
    QTextCharFormat format;
    format.setObjectType(figure_type);
    format.setProperty(picture_property,
                       QVariant::fromValue(figurePicture(*figures[i], picture_size)));
    place.insertText(QString(QChar::ObjectReplacementCharacter), format);
  }
}

}  // namespace

QByteArray toPdf(const Document& document) {
  Writer writer;
  for (const Block& block : document.blocks) std::visit(writer, block);
  QStringList byline;
  if (!document.author.isEmpty()) byline << document.author;
  if (!document.date.isEmpty()) byline << document.date;
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter pdf(&buffer);
  pdf.setResolution(600);
  pdf.setPageSize(QPageSize(QPageSize::A4));
  pdf.setPageMargins(QMarginsF(18, 18, 18, 16), QPageLayout::Millimeter);
  pdf.setTitle(document.title);
  pdf.setCreator("Assay");

  QTextDocument text;
  QFont font = Theme::font(13);
  font.setPointSizeF(9.5);
  // Shaping may put a variant of a bracket or hyphen that has no character of its own: such text
  // can't be searched or copied.
  font.setStyleStrategy(QFont::PreferNoShaping);
  text.setDefaultFont(font);
  text.documentLayout()->setPaintDevice(&pdf);
  const double dots = pdf.resolution() / 25.4;  // per millimetre
  const QSizeF page(pdf.width(), pdf.height() - 8 * dots);
  FigureObject object(page.width() * 0.98);
  text.documentLayout()->registerHandler(figure_type, &object);
  text.setDocumentMargin(0);
  text.setHtml(QString("<p style=\"font-size:18pt; font-weight:600; margin-bottom:0px\">%1</p>"
                       "<p style=\"color:%2\">%3</p>")
                   .arg(htmlText(document.title), writer.soft, htmlText(byline.join(" · "))) +
               writer.out);
  putFigures(text, writer.figures);
  text.setPageSize(page);

  QPainter painter(&pdf);
  const int pages = text.pageCount();
  for (int i = 0; i < pages; ++i) {
    if (i > 0) pdf.newPage();
    painter.save();
    painter.translate(0, -i * page.height());
    object.setPage(i * page.height(), (i + 1) * page.height());
    text.drawContents(&painter, QRectF(0, i * page.height(), page.width(), page.height()));
    painter.restore();
    QFont small = font;
    small.setPointSizeF(8);
    painter.setFont(small);
    painter.setPen(Theme::tokens(ThemeKind::light).soft);
    painter.drawText(QRectF(0, page.height(), page.width(), 8 * dots),
                     Qt::AlignRight | Qt::AlignBottom, QString("%1 / %2").arg(i + 1).arg(pages));
  }
  painter.end();
  return bytes;
}

}  // namespace assay

#include "pdf.moc"
