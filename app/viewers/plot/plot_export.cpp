// PlotView: pictures and files. Files use the light theme, as paper does; the clipboard gets what
// is on the screen.
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <map>

#include "app/viewers/plot/plot_state.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/formats/table.h"

namespace assay {

// Draws at another size, and perhaps theme, than the screen's, then puts everything back.
template <typename Draw>
void PlotView::State::for_export(const QSize& size, double scale, ThemeKind kind, bool vector,
                                 const Draw& draw) {
  const ThemeTokens* before = tokens;
  tokens = &Theme::tokens(kind);
  refresh_curves();
  apply_theme();
  if (kind == ThemeKind::light && tokens != before) plot->setBackground(QBrush(Qt::white));
  const QString x_label = plot->xAxis->label(), y_label = plot->yAxis->label();
  plot->xAxis->setLabel(x_axis_title());
  plot->yAxis->setLabel(y_title);
  QCPTextElement* heading = nullptr;
  if (!title.isEmpty()) {
    plot->plotLayout()->insertRow(0);
    heading = new QCPTextElement(plot, title, plotFont(13, 600));
    heading->setTextColor(tokens->ink);
    heading->setMargins(QMargins(8, 6, 8, 2));
    plot->plotLayout()->addElement(0, 0, heading);
  }
  arrange_legend(size.width());
  fit();
  fed = false;
  feed(static_cast<int>(size.width() * scale), vector);
  draw();
  if (heading != nullptr) {
    plot->plotLayout()->remove(heading);
    plot->plotLayout()->simplify();
  }
  tokens = before;
  fed = false;
  apply_theme();
  arrange_legend(plot->width());
  plot->xAxis->setLabel(x_label);
  plot->yAxis->setLabel(y_label);
}

QImage PlotView::toImage(double scale) const {
  return toImage(size(), scale);
}

QImage PlotView::toImage(const QSize& size, double scale) const {
  State& s = *state_;
  const ThemeKind kind =
      s.tokens == &Theme::tokens(ThemeKind::dark) ? ThemeKind::dark : ThemeKind::light;
  QImage image;
  s.for_export(size, scale, kind, false,
               [&]() { image = s.plot->toPixmap(size.width(), size.height(), scale).toImage(); });
  return image;
}

namespace {

void draw_vectors(QCustomPlot& plot, QPaintDevice& device, const QSize& size) {
  QCPPainter painter(&device);
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.setWindow(0, 0, size.width(), size.height());
  plot.toPainter(&painter, size.width(), size.height());
}

}  // namespace

QByteArray PlotView::toSvg(const QSize& asked) const {
  const QSize size = asked.isEmpty() ? this->size() : asked;
  QByteArray bytes;
  state_->for_export(size, 2.0, ThemeKind::light, true, [&]() {
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(state_->title);
    draw_vectors(*state_->plot, generator, size);
  });
  return bytes;
}

QPicture PlotView::toPicture(const QSize& size) const {
  QPicture picture;
  state_->for_export(size, 2.0, ThemeKind::light, true, [&]() {
    QCPPainter painter(&picture);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    state_->plot->toPainter(&painter, size.width(), size.height());
  });
  return picture;
}

void PlotView::writePdf(const QString& path, const QSizeF& millimetres) const {
  constexpr double per_inch = 96.0, mm_per_inch = 25.4;
  QSize size = this->size();
  QSizeF page = millimetres;
  if (page.isEmpty()) page = QSizeF(size) / per_inch * mm_per_inch;
  size = (page / mm_per_inch * per_inch).toSize();
  QByteArray bytes;
  state_->for_export(size, 2.0, ThemeKind::light, true, [&]() {
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(1200);
    writer.setPageSize(QPageSize(page, QPageSize::Millimeter, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(state_->title);
    writer.setCreator(QStringLiteral("Assay"));
    draw_vectors(*state_->plot, writer, size);
  });
  write_atomically(path.toStdString(),
                   std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

QString PlotView::toCsv() const {
  State& s = *state_;
  s.refresh_curves();
  const auto title = [](const QString& name, const QString& unit) {
    return (unit.isEmpty() ? name : QStringLiteral("%1 [%2]").arg(name, unit)).toStdString();
  };
  std::vector<const PlotSeries*> shown;
  Table table;
  table.columns.push_back(s.x_axis_title().isEmpty() ? "x" : s.x_axis_title().toStdString());
  std::map<double, std::vector<std::string>> rows;
  for (const PlotSeries& entry : s.series) {
    if (!entry.visible) continue;
    const QString name = entry.style.name.isEmpty() ? s.y_title : entry.style.name;
    table.columns.push_back(title(name, entry.style.unit));
    if (!entry.band_x.empty()) {
      table.columns.push_back(title(name + tr(" low"), entry.style.unit));
      table.columns.push_back(title(name + tr(" high"), entry.style.unit));
    }
    shown.push_back(&entry);
  }
  const std::size_t width = table.columns.size() - 1;
  std::size_t column = 0;
  const auto put = [&](const std::vector<double>& x, const std::vector<double>& y) {
    for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
      std::vector<std::string>& row = rows[x[i]];
      row.resize(width);
      row[column] = shortest(y[i]);
    }
    ++column;
  };
  for (const PlotSeries* entry : shown) {
    put(s.horizontal_of(*entry), entry->y);
    if (entry->band_x.empty()) continue;
    put(entry->band_x, entry->band_low);
    put(entry->band_x, entry->band_high);
  }
  for (auto& [x, values] : rows) {
    std::vector<std::string> row{shortest(x)};
    row.insert(row.end(), values.begin(), values.end());
    table.rows.push_back(std::move(row));
  }
  return QString::fromStdString(to_csv(table));
}

void PlotView::copyImage() const {
  QApplication::clipboard()->setImage(toImage(2.0));
}

namespace {

// Asks for a file name and writes; a fault is told with its reason.
template <typename Write>
void save_as(QWidget* parent, const QString& kind, const QString& suffix, const Write& write) {
  QString path = QFileDialog::getSaveFileName(parent, PlotView::tr("Export"),
                                              QStringLiteral("figure.") + suffix, kind);
  if (path.isEmpty()) return;
  if (!path.endsWith(QLatin1Char('.') + suffix)) path += QLatin1Char('.') + suffix;
  try {
    write(path);
  } catch (const Error& error) {
    QMessageBox::warning(parent, PlotView::tr("Export"), QString::fromUtf8(error.what()));
  }
}

void write_bytes(const QString& path, const QByteArray& bytes) {
  write_atomically(path.toStdString(),
                   std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace

void PlotView::addExportActions(QMenu& menu) {
  QAction* copy = menu.addAction(tr("Copy as image"), this, &PlotView::copyImage);
  copy->setShortcut(QKeySequence::Copy);
  menu.addAction(tr("Export PNG..."), this, [this]() {
    bool ok = false;
    const double scale =
        QInputDialog::getDouble(this, tr("Export PNG"), tr("Scale"), 3.0, 0.5, 10.0, 1, &ok);
    if (!ok) return;
    save_as(this, tr("PNG image (*.png)"), QStringLiteral("png"),
            [this, scale](const QString& path) {
              QByteArray bytes;
              QBuffer buffer(&bytes);
              toImage(scale).save(&buffer, "PNG");
              write_bytes(path, bytes);
            });
  });
  menu.addAction(tr("Export SVG..."), this, [this]() {
    save_as(this, tr("SVG drawing (*.svg)"), QStringLiteral("svg"),
            [this](const QString& path) { write_bytes(path, toSvg()); });
  });
  menu.addAction(tr("Export PDF..."), this, [this]() {
    save_as(this, tr("PDF (*.pdf)"), QStringLiteral("pdf"),
            [this](const QString& path) { writePdf(path); });
  });
  menu.addAction(tr("Export data as CSV..."), this, [this]() {
    save_as(this, tr("CSV table (*.csv)"), QStringLiteral("csv"),
            [this](const QString& path) { write_bytes(path, toCsv().toUtf8()); });
  });
}

}  // namespace assay
