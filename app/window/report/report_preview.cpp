// See report_preview.h.
#include "app/window/report/report_preview.h"

#include <QScrollBar>
#include <QTextBrowser>

#include "app/viewers/plot/plot_view.h"
#include "app/viewers/table/table_view.h"
#include "app/window/widgets/looks.h"

namespace assay {
namespace {

constexpr int figure_height = 260;
constexpr int most_table_height = 360;

struct Builder {
  QWidget* parent;
  QVBoxLayout* column;

  void operator()(const HeadingBlock& block) {
    column->addSpacing(block.level <= 2 ? 16 : 8);
    column->addWidget(makeWrapped(block.text, block.level <= 2 ? "heading" : "strong", parent));
  }
  void operator()(const TextBlock& block) {
    QLabel* const label = makeWrapped(block.text, {}, parent);
    if (block.markdown) label->setTextFormat(Qt::MarkdownText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(label);
  }
  void operator()(const CodeBlock& block) {
    QLabel* const label = makeWrapped(block.text, {}, parent);
    label->setFont(Theme::monospace(12));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(label);
  }
  void operator()(const TableBlock& block) {
    if (!block.caption.isEmpty()) column->addWidget(makeWrapped(block.caption, "small", parent));
    auto* table = new TableView(parent);
    table->setAccessibleName(block.caption);
    table->setFitsContents(true, most_table_height);
    QVector<GridColumn> columns;
    for (std::size_t c = 0; c < block.columns.size(); ++c) {
      columns.append({block.columns[c], block.numeric[c], {}});
    }
    table->setColumns(columns);
    QVector<QVector<GridCell>> rows;
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      QVector<GridCell> cells;
      for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
        GridCell cell;
        cell.text = block.rows[r][c];
        cell.strong = !block.strong.empty() && block.strong[r][c];
        cell.tip = cell.text;
        cells.append(cell);
      }
      rows.append(cells);
    }
    table->setRows(rows);
    // Facts: the value takes what is left.
    if (block.columns.size() == 2 && !block.numeric[1]) table->setStretchedColumn(1);
    column->addWidget(table);
    if (!block.note.isEmpty()) column->addWidget(makeWrapped(block.note, "small", parent));
  }
  void operator()(const FigureBlock& block) {
    auto* plot = new PlotView(parent);
    plot->setFixedHeight(figure_height);
    plot->setAxisTitles(block.x_title, block.y_title);
    plot->setTitle(block.caption);
    plot->setLegendShown(block.series.size() > 1);
    for (const FigureSeries& series : block.series) {
      SeriesStyle style;
      style.name = series.name;
      style.color_index = series.color_index;
      style.dash = series.dash;
      const int number = plot->addSeries(style);
      plot->setData(number, series.x, series.y);
      if (!series.low.empty()) plot->setBand(number, series.x, series.low, series.high);
    }
    column->addWidget(plot);
    column->addWidget(makeWrapped(block.caption, "small", parent));
  }
};

}  // namespace

ReportPreview::ReportPreview(QWidget* parent) : QScrollArea(parent), content_(makeCard()) {
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Preview of the report"));
  column_ = new QVBoxLayout(content_);
  column_->setContentsMargins(28, 24, 28, 28);
  column_->setSpacing(8);
  setWidget(content_);
}

void ReportPreview::show(const Document& document) {
  const int place = verticalScrollBar()->value();
  content_->setUpdatesEnabled(false);
  clearLayout(column_);
  column_->addWidget(makeWrapped(document.title, "title", content_));
  QStringList byline;
  if (!document.author.isEmpty()) byline << document.author;
  if (!document.date.isEmpty()) byline << document.date;
  if (!byline.isEmpty()) column_->addWidget(makeLabel(byline.join(" · "), "soft", content_));
  Builder builder{content_, column_};
  for (const Block& block : document.blocks) std::visit(builder, block);
  column_->addStretch(1);
  content_->setUpdatesEnabled(true);
  verticalScrollBar()->setValue(place);
}

}  // namespace assay
