// How to make each number again: command, versions, machine, data, digests; and the CSV tables.
#include <algorithm>
#include <set>

#include "app/report/content.h"
#include "app/viewers/number_text.h"

namespace assay {
namespace {

QString text_of(const std::string& text) {
  return QString::fromStdString(text);
}

// A value of the provenance as text; empty when it is not there.
QString fact(const Json& json, std::initializer_list<const char*> path) {
  const Json* place = &json;
  for (const char* key : path) {
    if (!place->is_object() || !place->contains(key)) return {};
    place = &(*place)[key];
  }
  if (place->is_string()) return text_of(place->get<std::string>());
  if (place->is_null()) return {};
  if (place->is_boolean()) return place->get<bool>() ? QString("yes") : QString("no");
  return text_of(place->dump());
}

using Facts = std::vector<std::pair<QString, QString>>;

QString commit_text(const Json& provenance) {
  const QString commit = fact(provenance, {"build", "commit"});
  const QString dirty = fact(provenance, {"build", "dirty"});
  if (commit.isEmpty()) return QString("unknown");
  if (dirty == "yes") {
    return commit + " with uncommitted changes (the patch is in the run's provenance)";
  }
  return dirty == "no" ? commit + ", clean" : commit;
}

QString libraries_text(const Json& provenance) {
  QStringList parts;
  if (provenance.is_object() && provenance.contains("libraries") &&
      provenance["libraries"].is_object()) {
    for (const auto& [name, version] : provenance["libraries"].items()) {
      const QString value =
          version.is_string() ? text_of(version.get<std::string>()) : text_of(version.dump());
      parts << text_of(name) + " " + value;
    }
  }
  return parts.join(", ");
}

Facts facts_of(const Run& run) {
  const Json& p = run.provenance;
  Facts facts;
  const auto add = [&facts](const char* name, const QString& value) {
    if (!value.isEmpty()) facts.emplace_back(name, value);
  };
  add("Assay", fact(p, {"build", "version"}));
  add("Commit", commit_text(p));
  add("Compiler", fact(p, {"build", "compiler"}));
  add("Flags", fact(p, {"build", "flags"}));
  add("Libraries", libraries_text(p));
  add("Host", fact(p, {"machine", "host"}));
  add("CPU", fact(p, {"machine", "cpu"}));
  add("Cores", fact(p, {"machine", "cores"}));
  const QString memory = fact(p, {"machine", "memory_bytes"});
  if (!memory.isEmpty()) add("Memory", formatBytes(memory.toULongLong()));
  const QString system = fact(p, {"machine", "distribution"});
  const QString kernel = fact(p, {"machine", "kernel"});
  add("System", system + (system.isEmpty() || kernel.isEmpty() ? "" : ", ") + kernel);
  add("Threads", QString::number(run.threads));
  return facts;
}

QString data_text(const Json& provenance) {
  QStringList lines;
  if (!provenance.is_object() || !provenance.contains("data") || !provenance["data"].is_array()) {
    return {};
  }
  for (const Json& entry : provenance["data"]) {
    QStringList parts{fact(entry, {"name"})};
    const QString path = fact(entry, {"path"});
    if (!path.isEmpty()) parts << path;
    const QString digest = fact(entry, {"sha256"});
    if (!digest.isEmpty()) parts << "sha256 " + digest;
    lines << parts.join(", ");
  }
  return lines.join("\n");
}

TableBlock fact_table(const Facts& facts) {
  TableBlock block;
  block.columns = {"Fact", "Value"};
  block.numeric = {false, false};
  for (const auto& [name, value] : facts) block.rows.push_back({name, value});
  return block;
}

std::vector<const ComparedRun*> in_order(const ReportFacts& facts) {
  std::vector<const ComparedRun*> runs;
  for (const RunGroup& group : facts.groups) {
    for (const std::size_t i : group.runs) runs.push_back(&facts.runs[i]);
  }
  return runs;
}

}  // namespace

QString report_command(const ReportFacts& facts, const ComparedRun& entry) {
  const Run& run = entry.run;
  QString command = text_of("assay-run run " + run.plugin + "." + run.experiment + " --seed " +
                            std::to_string(run.seed));
  for (const Manifest& plugin : *facts.plugins) {
    const ExperimentSpec* experiment =
        plugin.id == run.plugin ? plugin.experiment(run.experiment) : nullptr;
    if (experiment == nullptr) continue;
    Resolved resolved;
    resolved.preset = run.preset;
    resolved.seed = run.seed;
    for (const auto& [key, value] : entry.parameters) {
      resolved.parameters.set(key, value, Origin::set);
    }
    command = text_of(as_command_line(plugin, *experiment, resolved));
  }
  if (run.threads > 0) command += QString(" --threads %1").arg(run.threads);
  return command;
}

void add_reproduction(Document& document, const ReportFacts& facts) {
  document.blocks.push_back(HeadingBlock{2, "How to reproduce each number"});
  document.blocks.push_back(
      TextBlock{"Each command makes the run again; on the same machine, build and thread count the "
                "metrics and "
                "the digest of the final state (state_sha256) are the same bits.",
                false});
  const std::vector<const ComparedRun*> runs = in_order(facts);
  Facts common = facts_of(runs.front()->run);
  for (const ComparedRun* run : runs) {
    const Facts own = facts_of(run->run);
    std::erase_if(common, [&own](const auto& f) {
      return std::find(own.begin(), own.end(), f) == own.end();
    });
  }
  if (!common.empty()) {
    document.blocks.push_back(HeadingBlock{
        3, runs.size() > 1 ? QString("Common to all runs") : QString("Build and machine")});
    document.blocks.push_back(fact_table(common));
  }
  for (const ComparedRun* entry : runs) {
    const Run& run = entry->run;
    document.blocks.push_back(
        HeadingBlock{3, text_of(run.name) + " (" + text_of(run.public_id) + ")"});
    document.blocks.push_back(CodeBlock{report_command(facts, *entry)});
    Facts own;
    own.emplace_back("State", text_of(to_string(run.state)) +
                                  (run.reason.empty() ? QString() : ": " + text_of(run.reason)));
    own.emplace_back("Seed", QString::number(run.seed));
    own.emplace_back("Work", formatDuration(run.seconds));
    for (const auto& f : facts_of(run)) {
      if (std::find(common.begin(), common.end(), f) == common.end()) own.push_back(f);
    }
    const QString data = data_text(run.provenance);
    if (!data.isEmpty()) own.emplace_back("Data", data);
    own.emplace_back("state_sha256", run.state_sha256.empty()
                                         ? QString("none: the run did not finish")
                                         : text_of(run.state_sha256));
    document.blocks.push_back(fact_table(own));
    TableBlock configuration;
    configuration.caption = "Parameters";
    configuration.columns = {"Parameter", "Value"};
    configuration.numeric = {false, false};
    for (const auto& [key, value] : entry->parameters) {
      configuration.rows.push_back({text_of(key), text_of(to_text(value))});
    }
    if (!configuration.rows.empty()) document.blocks.push_back(std::move(configuration));
  }
}

void fill_tables(Document& document, const ReportFacts& facts) {
  std::set<std::string> parameters, metrics;
  for (const ComparedRun& run : facts.runs) {
    for (const auto& [key, value] : run.parameters) parameters.insert(key);
    for (const MetricSummary& metric : run.metrics) metrics.insert(metric.key);
  }
  Table& table = document.runs;
  table.columns = {"run",    "name",  "group", "plugin",       "experiment",
                   "preset", "seed",  "state", "seconds",      "threads",
                   "commit", "dirty", "host",  "state_sha256", "command"};
  for (const std::string& key : parameters) table.columns.push_back("parameter:" + key);
  for (const std::string& key : metrics) {
    for (const char* part : {":last", ":best", ":step"}) table.columns.push_back(key + part);
  }
  document.curves.columns = {"run", "group", "seed", "metric", "step", "seconds", "value"};
  for (std::size_t g = 0; g < facts.groups.size(); ++g) {
    for (const std::size_t i : facts.groups[g].runs) {
      const ComparedRun& entry = facts.runs[i];
      const Run& run = entry.run;
      const std::string group = facts.group_label(g).toStdString();
      std::vector<std::string> row{run.public_id,
                                   run.name,
                                   group,
                                   run.plugin,
                                   run.experiment,
                                   run.preset,
                                   std::to_string(run.seed),
                                   to_string(run.state),
                                   shortest(run.seconds),
                                   std::to_string(run.threads),
                                   fact(run.provenance, {"build", "commit"}).toStdString(),
                                   fact(run.provenance, {"build", "dirty"}).toStdString(),
                                   fact(run.provenance, {"machine", "host"}).toStdString(),
                                   run.state_sha256,
                                   report_command(facts, entry).toStdString()};
      for (const std::string& key : parameters) {
        const auto value = entry.parameters.find(key);
        row.push_back(value == entry.parameters.end() ? std::string() : to_text(value->second));
      }
      for (const std::string& key : metrics) {
        const MetricSummary* metric = entry.metric(key);
        row.push_back(metric != nullptr ? shortest(metric->last) : std::string());
        row.push_back(metric != nullptr && metric->best ? shortest(*metric->best) : std::string());
        row.push_back(metric != nullptr ? std::to_string(metric->step) : std::string());
      }
      table.rows.push_back(std::move(row));
      for (const auto& [key, by_run] : facts.curves) {
        const auto points = by_run.find(run.id);
        if (points == by_run.end()) continue;
        for (const MetricPoint& point : points->second) {
          document.curves.rows.push_back({run.public_id, group, std::to_string(run.seed), key,
                                          std::to_string(point.step), shortest(point.seconds),
                                          shortest(point.value)});
        }
      }
    }
  }
}

}  // namespace assay
