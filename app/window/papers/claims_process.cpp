// `assay-run claims` as a process of its own, watched by its output.
#include "app/window/papers/claims_process.h"

#include <signal.h>

#include <QFile>
#include <QRegularExpression>

namespace assay {
namespace {

constexpr qint64 tailBytes = 16384;

QStringList lastLines(const std::filesystem::path& path) {
  QFile file(QString::fromStdString(path.string()));
  if (!file.open(QIODevice::ReadOnly)) return {};
  if (file.size() > tailBytes) file.seek(file.size() - tailBytes);
  return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
}

}  // namespace

ClaimsProcess::ClaimsProcess(std::filesystem::path runner, std::filesystem::path logDirectory,
                             QObject* parent)
    : QObject(parent), runner_(std::move(runner)), log_directory_(std::move(logDirectory)) {
  timer_.setInterval(500);
  connect(&timer_, &QTimer::timeout, this, &ClaimsProcess::look);
}

void ClaimsProcess::start(const QString& plugin, const QString& preset, int seeds) {
  output_ = log_directory_ / ("claims-" + plugin.toStdString() + ".txt");
  std::error_code ignored;  // an old output that stays is only longer
  std::filesystem::remove(output_, ignored);
  SpawnOptions options;
  options.arguments = {runner_.string(),       "claims",  plugin.toStdString(),  "--preset",
                       preset.toStdString(),   "--seeds", std::to_string(seeds), "--log",
                       log_directory_.string()};
  options.output_file = output_;
  process_ = spawn(options).process;
  running_ = true;
  stopped_ = false;
  timer_.start();
}

void ClaimsProcess::stop() {
  if (!running_) return;
  stopped_ = true;
  send_signal(process_, SIGINT);
}

void ClaimsProcess::look() {
  const bool alive = is_alive(process_);
  static const QRegularExpression counted("^\\[(\\d+)/(\\d+)\\]");
  const QStringList lines = lastLines(output_);
  int done = 0;
  int total = 0;
  for (const QString& line : lines) {
    const QRegularExpressionMatch match = counted.match(line);
    if (!match.hasMatch()) continue;
    done = match.captured(1).toInt();
    total = match.captured(2).toInt();
  }
  emit progressed(done, total, lines.isEmpty() ? QString("Starting") : lines.back());
  if (alive) return;
  timer_.stop();
  running_ = false;
  QString problem;
  for (const QString& line : lines) {
    if (line.startsWith("assay-run: ")) problem = line.mid(11);
  }
  emit ended(stopped_ ? QString("Stopped. What has finished is kept.") : problem);
}

}  // namespace assay
