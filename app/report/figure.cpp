// Figures of a report, drawn by the same plot as on screen.
#include "app/report/document.h"
#include "app/viewers/plot/plot_view.h"

namespace assay {
namespace {

const QSize figure_size(640, 300);  // px at 96 dpi: 17 cm, a text column of A4

std::unique_ptr<PlotView> plotOf(const FigureBlock& figure) {
  auto plot = std::make_unique<PlotView>(nullptr, ThemeKind::light);
  plot->resize(figure_size);
  plot->setAxisTitles(figure.x_title, figure.y_title);
  plot->setLegendShown(figure.series.size() > 1);
  for (const FigureSeries& series : figure.series) {
    SeriesStyle style;
    style.name = series.name;
    style.color_index = series.color_index;
    style.dash = series.dash;
    if (series.x.size() == 1) style.form = SeriesStyle::Form::line_and_points;
    const int number = plot->addSeries(style);
    plot->setData(number, series.x, series.y);
    if (!series.low.empty()) plot->setBand(number, series.x, series.low, series.high);
  }
  plot->redrawNow();
  return plot;
}

}  // namespace

QByteArray figureSvg(const FigureBlock& figure) {
  return plotOf(figure)->toSvg(figure_size);
}

QPicture figurePicture(const FigureBlock& figure, const QSize& size) {
  return plotOf(figure)->toPicture(size);
}

void writeFigurePdf(const FigureBlock& figure, const QString& path) {
  plotOf(figure)->writePdf(path, QSizeF(figure_size) / 96.0 * 25.4);
}

}  // namespace assay
