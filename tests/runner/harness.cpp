#include "runner/harness.h"

#include <fmt/core.h>

#include <bit>
#include <fstream>
#include <sstream>

#include "core/base/error.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

QStringList to_list(const Words& words) {
  QStringList list;
  for (const std::string& word : words) list << QString::fromStdString(word);
  return list;
}

QString program() {
  return QStringLiteral(ASSAY_TEST_BUILD_DIR "/bin/assay-run");
}

}  // namespace

Json Ended::json() const {
  return Json::parse(out, nullptr, false);
}

std::vector<std::string> Ended::error_lines() const {
  std::vector<std::string> lines;
  std::istringstream text(err);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

Workplace::Workplace() : log_(path("log")), environment_(QProcessEnvironment::systemEnvironment()) {
  set("ASSAY_PLUGINS", ASSAY_TEST_BUILD_DIR "/tests/plugins");
  set("XDG_DATA_HOME", path("home"));
  set("ASSAY_CHECKPOINT_SECONDS", "0.05");
}

std::string Workplace::path(const std::string& name) const {
  return folder_.filePath(QString::fromStdString(name)).toStdString();
}

void Workplace::set(const std::string& variable, const std::string& value) {
  environment_.insert(QString::fromStdString(variable), QString::fromStdString(value));
}

std::string Workplace::write(const std::string& name, const std::string& text) const {
  const std::string file = path(name);
  std::ofstream(file) << text;
  return file;
}

Ended Workplace::call(Words words, const std::string& input) {
  const auto process = start(std::move(words));
  process->write(QByteArray::fromStdString(input));
  process->closeWriteChannel();
  return wait(*process);
}

std::unique_ptr<QProcess> Workplace::start(Words words) {
  words.insert(words.end(), {"--log", log_});
  auto process = std::make_unique<QProcess>();
  process->setProcessEnvironment(environment_);
  process->start(program(), to_list(words));
  process->waitForStarted();
  return process;
}

Ended Workplace::wait(QProcess& process, int milliseconds) {
  if (process.state() != QProcess::NotRunning && !process.waitForFinished(milliseconds)) {
    process.kill();
    process.waitForFinished();
  }
  Ended ended;
  if (process.exitStatus() == QProcess::NormalExit) ended.exit_code = process.exitCode();
  ended.out = process.readAllStandardOutput().toStdString();
  ended.err = process.readAllStandardError().toStdString();
  return ended;
}

std::string Workplace::wait_for_run(std::size_t known) const {
  std::string id;
  until([&] {
    if (!fs::exists(fs::path(log_) / "assay.sqlite")) return false;
    Log log = open_log();
    const auto rows = log.runs({});
    if (rows.size() <= known) return false;
    const auto newest = std::max_element(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.run.id < b.run.id; });
    id = newest->run.public_id;
    return true;
  });
  return id;
}

bool Workplace::wait_for_step(const std::string& run, const std::string& metric,
                              std::int64_t step) const {
  Log log = open_log();
  const Run row = log.find(run);
  return until([&] {
    const auto curve = log.curve(row.id, metric);
    return !curve.empty() && curve.back().step >= step;
  });
}

bool Workplace::wait_for_checkpoint(const std::string& run) const {
  const fs::path file = fs::path(log_) / "runs" / run / "checkpoint" / "state.safetensors";
  return until([&] { return fs::exists(file); });
}

bool Workplace::wait_for_state(const std::string& run, RunState state) const {
  Log log = open_log();
  const Run row = log.find(run);
  return until([&] {
    log.reap();
    return log.run(row.id).state == state;
  });
}

std::string metric_table(const std::string& directory, const std::string& run) {
  Log log(directory);
  const Run row = log.find(run);
  std::string table;
  for (const MetricSummary& metric : log.metrics(row.id)) {
    table +=
        fmt::format("{} last {:x} at {} best {:x} at {}\n", metric.key,
                    std::bit_cast<std::uint64_t>(metric.last), metric.step,
                    std::bit_cast<std::uint64_t>(metric.best.value_or(-1.0)), metric.best_step);
    for (const MetricPoint& point : log.curve(row.id, metric.key)) {
      table += fmt::format("{} {} {:x}\n", metric.key, point.step,
                           std::bit_cast<std::uint64_t>(point.value));
    }
  }
  return table;
}

std::string artifact_table(const std::string& directory, const std::string& run) {
  Log log(directory);
  const Run row = log.find(run);
  std::vector<std::string> lines;
  for (const Artifact& artifact : log.artifacts(row.id)) {
    lines.push_back(fmt::format("{} {} {} {} {}\n", artifact.key, artifact.kind, artifact.step,
                                artifact.bytes, artifact.sha256));
  }
  std::sort(lines.begin(), lines.end());
  std::string table;
  for (const std::string& line : lines) table += line;
  return table;
}

}  // namespace assay::test
