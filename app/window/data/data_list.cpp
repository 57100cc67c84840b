// Which data sets and weights are known.
#include "app/window/data/data_list.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include "app/window/workbench.h"

namespace assay {
namespace {

constexpr int runsLooked = 200;  // of the newest: data changes seldom
const char* const settingsKey = "data/paths";
const char* const systemFolder =
    "/usr/share/datasets";  // where Debian's dataset packages put theirs

QString jsonText(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string()
             ? QString::fromStdString(found->get<std::string>())
             : QString();
}

// A file within a folder that is listed already belongs to that folder's entry.
DataEntry* entryFor(QList<DataEntry>& entries, const QString& path) {
  for (DataEntry& entry : entries) {
    if (entry.path.isEmpty()) continue;
    if (entry.path == path || path.startsWith(entry.path + "/")) return &entry;
  }
  return nullptr;
}

void addPaper(DataEntry& entry, const QString& title) {
  if (!entry.papers.contains(title)) entry.papers << title;
}

}  // namespace

QList<UsedData> readUsedData(Log& log) {
  QList<UsedData> used;
  RunQuery query;
  query.limit = runsLooked;
  for (const RunRow& row : log.runs(query)) {
    const Run run = log.run(row.run.id);
    const auto data = run.provenance.find("data");
    if (data == run.provenance.end() || !data->is_array()) continue;
    for (const Json& each : *data) {
      const QString path = jsonText(each, "path");
      const bool known = std::any_of(used.cbegin(), used.cend(), [&](const UsedData& other) {
        return other.path == path && other.plugin.toStdString() == run.plugin;
      });
      if (known || path.isEmpty()) continue;
      used.append({jsonText(each, "name"), path, jsonText(each, "licence"),
                   jsonText(each, "sha256"), QString::fromStdString(run.plugin)});
    }
  }
  return used;
}

QStringList addedPaths() {
  return QSettings().value(settingsKey).toStringList();
}

void setAddedPaths(const QStringList& paths) {
  QSettings().setValue(settingsKey, paths);
}

QList<DataEntry> knownData(const Workbench& workbench, const QList<UsedData>& used) {
  QList<DataEntry> entries;
  for (const Manifest& plugin : workbench.plugins()) {
    for (const DataSpec& spec : plugin.data) {
      // A relative path is one of the plugin's own files.
      const bool own = !spec.path.empty() && spec.path.front() != '/';
      const QString path =
          QString::fromStdString(own ? (plugin.folder / spec.path).string() : spec.path);
      DataEntry* known = path.isEmpty() ? nullptr : entryFor(entries, path);
      if (known == nullptr) {
        entries.append(DataEntry{});
        known = &entries.back();
        known->title = QString::fromStdString(spec.title);
        known->path = path;
        known->licence = QString::fromStdString(spec.licence);
        known->help = QString::fromStdString(spec.help);
        known->howToGet = QString::fromStdString(spec.how_to_get);
      }
      addPaper(*known, QString::fromStdString(plugin.title));
    }
  }
  const auto names = QDir(systemFolder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
  for (const QString& name : names) {
    const QString path = QString(systemFolder) + "/" + name;
    if (entryFor(entries, path) != nullptr) continue;
    entries.append(DataEntry{});
    entries.back().title = name;
    entries.back().path = path;
    entries.back().help = "Installed by a Debian package.";
  }
  for (const QString& path : addedPaths()) {
    if (entryFor(entries, path) != nullptr) continue;
    entries.append(DataEntry{});
    entries.back().title = QFileInfo(path).fileName();
    entries.back().path = path;
    entries.back().added = true;
  }
  for (const UsedData& each : used) {
    DataEntry* known = entryFor(entries, each.path);
    if (known == nullptr) {
      entries.append(DataEntry{});
      known = &entries.back();
      known->title = each.name.isEmpty() ? QFileInfo(each.path).fileName() : each.name;
      known->path = each.path;
    }
    if (known->licence.isEmpty()) known->licence = each.licence;
    if (known->path == each.path) known->checksum = each.checksum;
    const Manifest* const plugin = workbench.plugin(each.plugin);
    addPaper(*known, plugin == nullptr ? each.plugin : QString::fromStdString(plugin->title));
  }
  return entries;
}

}  // namespace assay
