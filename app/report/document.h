// A report as a list of blocks; each format's writer turns the same list into its own text.
#pragma once

#include <QByteArray>
#include <QPicture>
#include <QString>
#include <QStringList>
#include <variant>
#include <vector>

#include "core/formats/table.h"

namespace assay {

struct HeadingBlock {
  int level = 2;  // 2: section, 3: below it
  QString text;
};
struct TextBlock {
  QString text;           // plain
  bool markdown = false;  // the author's notes: Markdown
};
struct CodeBlock {
  QString text;
};
struct TableBlock {
  QString caption;
  std::vector<QString> columns;
  std::vector<bool> numeric;
  std::vector<std::vector<QString>> rows;
  std::vector<std::vector<bool>> strong;  // as rows, or empty
  QString note;
};
struct FigureSeries {
  QString name;
  int color_index = 0;
  Qt::PenStyle dash = Qt::SolidLine;
  std::vector<double> x, y, low, high;  // low and high: a band, or empty
};
struct FigureBlock {
  QString id;  // file name without suffix
  QString caption, x_title, y_title;
  std::vector<FigureSeries> series;
};
using Block = std::variant<HeadingBlock, TextBlock, CodeBlock, TableBlock, FigureBlock>;

struct Document {
  QString title, author, date;
  std::vector<Block> blocks;
  // For CSV.
  Table runs, curves;
};

// Figures in the light tokens, whatever the window's theme.
QByteArray figureSvg(const FigureBlock& figure);
QPicture figurePicture(const FigureBlock& figure, const QSize& size);
void writeFigurePdf(const FigureBlock& figure, const QString& path);  // throws Error(storage)

QString toHtml(const Document& document);
QString toMarkdown(const Document& document, const QString& figureFolder);
QString toLatex(const Document& document, const QString& figureFolder);
QByteArray toPdf(const Document& document);

// The special characters of LaTeX, and those that Unicode has but its fonts may lack.
QString latexText(const QString& text);
QString htmlText(const QString& text);
QString markdownText(const QString& text);

}  // namespace assay
