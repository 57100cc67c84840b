// A report as Markdown with its figures as SVG files beside it.
#include "app/report/document.h"

namespace assay {
namespace {

struct Writer {
  QString out;
  QString folder;
  void operator()(const HeadingBlock& block) {
    out += QString(block.level, '#') + " " + markdownText(block.text) + "\n\n";
  }
  void operator()(const TextBlock& block) {
    out += (block.markdown ? block.text.trimmed() : markdownText(block.text)) + "\n\n";
  }
  void operator()(const CodeBlock& block) {
    // A fence longer than any run of backticks inside.
    QString fence = "```";
    while (block.text.contains(fence)) fence += '`';
    out += fence + "\n" + block.text + "\n" + fence + "\n\n";
  }
  void operator()(const TableBlock& block) {
    if (!block.caption.isEmpty()) out += markdownText(block.caption) + "\n\n";
    const auto line = [](const QStringList& cells) { return "| " + cells.join(" | ") + " |\n"; };
    QStringList titles, rules;
    for (std::size_t c = 0; c < block.columns.size(); ++c) {
      titles << markdownText(block.columns[c]);
      rules << (block.numeric[c] ? "---:" : "---");
    }
    out += line(titles) + line(rules);
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      QStringList cells;
      for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
        const QString text = markdownText(block.rows[r][c]);
        const bool strong = !block.strong.empty() && block.strong[r][c] && !text.isEmpty();
        cells << (strong ? "**" + text + "**" : text);
      }
      out += line(cells);
    }
    out += "\n";
    if (!block.note.isEmpty()) out += markdownText(block.note) + "\n\n";
  }
  void operator()(const FigureBlock& block) {
    out += QString("![%1](%2/%3.svg)\n\n").arg(markdownText(block.caption), folder, block.id);
  }
};

}  // namespace

QString markdownText(const QString& text) {
  QString escaped;
  static const QString special = "\\`*_[]<>#|~";
  for (const QChar c : text) {
    if (c == '\n') {
      escaped += "<br>";
      continue;
    }
    if (special.contains(c)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

QString toMarkdown(const Document& document, const QString& figureFolder) {
  Writer writer{{}, figureFolder};
  for (const Block& block : document.blocks) std::visit(writer, block);
  QStringList byline;
  if (!document.author.isEmpty()) byline << markdownText(document.author);
  if (!document.date.isEmpty()) byline << document.date;
  return "# " + markdownText(document.title) + "\n\n" +
         (byline.isEmpty() ? QString() : byline.join(" · ") + "\n\n") + writer.out;
}

}  // namespace assay
