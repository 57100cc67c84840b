// A report as one HTML file: style and figures inside, nothing fetched.
#include <QTextDocument>

#include "app/report/document.h"
#include "app/viewers/theme.h"

namespace assay {
namespace {

// The look's light tokens; the same names as in the window's style sheet.
QString style() {
  const ThemeTokens& t = Theme::tokens(ThemeKind::light);
  QString css = R"(
:root { color-scheme: light; }
body { margin: 0; background: @background; color: @ink;
  font: 15px/1.55 Inter, "Noto Sans", system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 920px; margin: 32px auto; padding: 40px 48px; background: @panel;
  border: 1px solid @line; border-radius: 8px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; font-weight: 600; }
h2 { font-size: 18px; margin: 36px 0 10px; font-weight: 600; }
h3 { font-size: 15px; margin: 24px 0 6px; font-weight: 600; }
.byline, .note, figcaption, caption { color: @soft; font-size: 13px; }
.byline { margin: 0 0 24px; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 8px 0; font-size: 13px; }
caption { caption-side: top; text-align: left; padding-bottom: 6px; }
th { color: @soft; font-weight: 500; text-align: left; border-bottom: 1px solid @ink; }
th, td { padding: 6px 10px; vertical-align: top; }
td { border-bottom: 1px solid @line; overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
.best { font-weight: 600; }
figure { margin: 16px 0 20px; }
figure svg { width: 100%; height: auto; }
pre { background: @background; border: 1px solid @line; border-radius: 6px; padding: 10px 12px;
  white-space: pre-wrap; overflow-wrap: anywhere; font: 12.5px/1.5 "JetBrains Mono", monospace; }
a { color: @accent; }
@media print { body { background: none; } main { border: none; margin: 0; padding: 0;
  max-width: none; } figure, tr { break-inside: avoid; } }
)";
  css.replace("@background", t.background.name());
  css.replace("@panel", t.panel.name());
  css.replace("@ink", t.ink.name());
  css.replace("@soft", t.soft.name());
  css.replace("@line", t.line.name());
  css.replace("@accent", t.accent.name());
  return css;
}

// The body of what Qt makes of the author's Markdown; raw HTML in it stays text.
QString notesHtml(const QString& markdown) {
  QTextDocument document;
  document.setMarkdown(markdown,
                       QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub |
                                                       QTextDocument::MarkdownNoHTML));
  QString html = document.toHtml();
  const qsizetype from = html.indexOf('>', html.indexOf("<body")) + 1;
  html = html.mid(from, html.indexOf("</body>") - from);
  static const QRegularExpression styles(" style=\"[^\"]*\"");
  return html.remove(styles);
}

struct Writer {
  QString out;
  void operator()(const HeadingBlock& block) {
    out += QString("<h%1>%2</h%1>\n").arg(block.level).arg(htmlText(block.text));
  }
  void operator()(const TextBlock& block) {
    out += block.markdown ? notesHtml(block.text) + "\n" : "<p>" + htmlText(block.text) + "</p>\n";
  }
  void operator()(const CodeBlock& block) { out += "<pre>" + htmlText(block.text) + "</pre>\n"; }
  void operator()(const TableBlock& block) {
    out += "<div class=\"table\"><table>\n";
    if (!block.caption.isEmpty()) out += "<caption>" + htmlText(block.caption) + "</caption>\n";
    out += "<thead><tr>";
    for (std::size_t c = 0; c < block.columns.size(); ++c) {
      out += QString("<th%1>%2</th>")
                 .arg(block.numeric[c] ? " class=\"number\"" : "", htmlText(block.columns[c]));
    }
    out += "</tr></thead>\n<tbody>\n";
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      out += "<tr>";
      for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
        QStringList classes;
        if (block.numeric[c]) classes << "number";
        if (!block.strong.empty() && block.strong[r][c]) classes << "best";
        out += classes.isEmpty() ? QString("<td>") : "<td class=\"" + classes.join(' ') + "\">";
        out += htmlText(block.rows[r][c]) + "</td>";
      }
      out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
    if (!block.note.isEmpty()) out += "<p class=\"note\">" + htmlText(block.note) + "</p>\n";
  }
  void operator()(const FigureBlock& block) {
    QString svg = QString::fromUtf8(figureSvg(block));
    svg = svg.mid(svg.indexOf("<svg"));
    out += "<figure id=\"" + htmlText(block.id) + "\">\n" + svg + "\n<figcaption>" +
           htmlText(block.caption) + "</figcaption></figure>\n";
  }
};

}  // namespace

QString htmlText(const QString& text) {
  QString escaped = text.toHtmlEscaped();
  return escaped.replace('\n', "<br>\n");
}

QString toHtml(const Document& document) {
  Writer writer;
  for (const Block& block : document.blocks) std::visit(writer, block);
  QStringList byline;
  if (!document.author.isEmpty()) byline << document.author;
  if (!document.date.isEmpty()) byline << document.date;
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         document.title.toHtmlEscaped() + "</title>\n<style>" + style() +
         "</style>\n</head>\n<body>\n<main>\n<h1>" + htmlText(document.title) +
         "</h1>\n<p class=\"byline\">" + htmlText(byline.join(" · ")) + "</p>\n" + writer.out +
         "</main>\n</body>\n</html>\n";
}

}  // namespace assay
