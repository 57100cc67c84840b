// The table of runs: filter, sort, page, chosen columns. A constant number of statements whatever
// the number of runs, and never one that touches the curves.
#include <fmt/format.h>

#include <unordered_map>

#include "core/log/filter.h"
#include "core/log/log_state.h"
#include "core/log/run_columns.h"
#include "core/log/stored_value.h"

namespace assay {
namespace {

// Up to here the ids of a page are named in the statement; beyond, reading the whole column in
// order is cheaper.
constexpr std::size_t named_ids = 2000;

using RowOf = std::unordered_map<std::int64_t, std::size_t>;

struct SortColumn {
  const char* name;
  const char* sql;
};

// By the name of the field in Run.
constexpr SortColumn sort_columns[] = {
    {"id", "run.id"},
    {"public_id", "run.public_id"},
    {"name", "run.name COLLATE NOCASE"},
    {"plugin", "run.plugin"},
    {"experiment", "run.experiment"},
    {"preset", "run.preset"},
    {"parent", "run.parent"},
    {"group", "run.group_name"},
    {"version", "run.version"},
    {"state",
     "CASE run.state WHEN 'running' THEN 0 WHEN 'queued' THEN 1 WHEN 'paused' THEN 2 WHEN "
     "'finished' THEN 3 WHEN 'stopped' THEN 4 WHEN 'failed' THEN 5 WHEN 'killed' THEN 6 ELSE 7 "
     "END"},
    {"reason", "run.reason"},
    // Stored as signed: those of the upper half are negative and come last.
    {"seed", "CASE WHEN run.seed < 0 THEN run.seed + 18446744073709551616.0 ELSE run.seed END"},
    {"threads", "run.threads"},
    {"created", "run.created"},
    {"started", "run.started"},
    {"ended", "run.ended"},
    {"seconds", "run.seconds"},
    {"exit_code", "run.exit_code"},
    {"signal", "run.signal"},
    {"heartbeat", "run.heartbeat"},
    {"progress", "CAST(run.progress_done AS REAL) / nullif(run.progress_total, 0)"},
    {"progress_done", "run.progress_done"},
    {"progress_total", "run.progress_total"},
    {"progress_text", "run.progress_text"},
    {"steps_per_second", "run.steps_per_second"},
    {"eta_seconds", "run.eta_seconds"},
    {"queue_position", "run.queue_position"},
    {"state_sha256", "run.state_sha256"},
    {"notes", "run.notes COLLATE NOCASE"},
    {"starred", "run.starred"},
    {"trashed", "run.trashed"},
    {"tags", "(SELECT min(name) FROM tag WHERE tag.run = run.id)"},
};

struct Order {
  std::string join;  // with one ? for the key, or empty
  std::string key;
  std::string expression;
};

Order order_of(const std::string& sort) {
  if (sort.starts_with("param:")) {
    return {"LEFT JOIN parameter AS sorted ON sorted.key = ? AND sorted.run = run.id",
            sort.substr(6), "coalesce(sorted.number, sorted.text)"};
  }
  if (sort.starts_with("metric:")) {
    return {
        "LEFT JOIN metric_latest AS sorted ON sorted.key = (SELECT id FROM metric_key WHERE "
        "metric_key.name = ?) AND sorted.run = run.id",
        sort.substr(7), "sorted.last"};
  }
  for (const SortColumn& column : sort_columns) {
    if (sort == column.name) return {{}, {}, column.sql};
  }
  throw Error(
      ErrorKind::bad_input,
      fmt::format("runs can't be sorted by '{}'; allowed: a column of the run, param:KEY or "
                  "metric:KEY",
                  sort));
}

std::string condition_of(const RunQuery& query, const Filter& filter) {
  const char* const trash =
      query.trash == RunQuery::Trash::living ? "run.trashed IS NULL" : "run.trashed IS NOT NULL";
  return fmt::format("{} AND ({})", trash, filter.where);
}

void bind_filter(SQLite::Statement& statement, int first, const Filter& filter) {
  for (const auto& binding : filter.bindings) {
    std::visit([&](const auto& value) { statement.bind(first, value); }, binding);
    ++first;
  }
}

std::vector<RunRow> select_rows(SQLite::Database& database, const RunQuery& query) {
  const Filter filter = parse_filter(query.filter);
  const Order order = order_of(query.sort);
  const char* const direction = query.descending ? "DESC" : "ASC";
  // What has no value comes last, whichever way the rest is sorted.
  SQLite::Statement select(
      database,
      fmt::format("SELECT {} FROM run {} WHERE {} ORDER BY ({}) IS NULL, {} {}, run.id {} "
                  "LIMIT ? OFFSET ?",
                  run_columns, order.join, condition_of(query, filter), order.expression,
                  order.expression, direction, direction));
  int next = 1;
  if (!order.join.empty()) select.bind(next++, order.key);
  bind_filter(select, next, filter);
  next += static_cast<int>(filter.bindings.size());
  select.bind(next, query.limit);
  select.bind(next + 1, query.offset);
  std::vector<RunRow> rows;
  while (select.executeStep()) rows.push_back({read_run(select), {}, {}});
  return rows;
}

// The rows of a side table that belong to the page, by a condition on its column `run`.
class Page {
 public:
  explicit Page(std::vector<RunRow>& rows) : rows_(rows) {
    std::vector<std::int64_t> ids;
    row_of_.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) row_of_.emplace(rows[i].run.id, i);
    if (rows.size() > named_ids) return;
    ids.reserve(rows.size());
    for (const RunRow& row : rows) ids.push_back(row.run.id);
    condition_ = "run IN " + id_list(ids);
  }

  const std::string& condition() const { return condition_; }
  // nullptr: of another page.
  RunRow* row(std::int64_t id) {
    const auto found = row_of_.find(id);
    return found == row_of_.end() ? nullptr : &rows_[found->second];
  }

 private:
  std::vector<RunRow>& rows_;
  RowOf row_of_;
  std::string condition_ = "1";
};

void fill_tags(SQLite::Database& database, Page& page) {
  SQLite::Statement select(
      database,
      fmt::format("SELECT run, name FROM tag WHERE {} ORDER BY run, name", page.condition()));
  while (select.executeStep()) {
    RunRow* const row = page.row(select.getColumn(0).getInt64());
    if (row != nullptr) row->run.tags.push_back(select.getColumn(1).getString());
  }
}

void fill_parameters(SQLite::Database& database, Page& page, std::size_t place,
                     const std::string& key) {
  SQLite::Statement select(
      database, fmt::format("SELECT run, type, number, text FROM parameter WHERE key = ? AND {}",
                            page.condition()));
  select.bind(1, key);
  while (select.executeStep()) {
    RunRow* const row = page.row(select.getColumn(0).getInt64());
    if (row != nullptr) row->parameters[place] = read_value(select, 1);
  }
}

void fill_metrics(SQLite::Database& database, Page& page, std::size_t place,
                  const std::string& key) {
  SQLite::Statement select(
      database, fmt::format("SELECT run, last FROM metric_latest WHERE key = (SELECT id FROM "
                            "metric_key WHERE name = ?) AND {}",
                            page.condition()));
  select.bind(1, key);
  while (select.executeStep()) {
    RunRow* const row = page.row(select.getColumn(0).getInt64());
    if (row != nullptr) row->metrics[place] = real_or_nan(select.getColumn(1));
  }
}

}  // namespace

std::vector<RunRow> Log::runs(const RunQuery& query) {
  return state_->read([&] {
    // One snapshot for all statements, so that they speak of the same runs.
    SQLite::Transaction snapshot(*state_->database);
    std::vector<RunRow> rows = select_rows(*state_->database, query);
    if (rows.empty()) return rows;
    for (RunRow& row : rows) {
      row.parameters.resize(query.parameters.size());
      row.metrics.resize(query.metrics.size());
    }
    Page page(rows);
    fill_tags(*state_->database, page);
    for (std::size_t i = 0; i < query.parameters.size(); ++i) {
      fill_parameters(*state_->database, page, i, query.parameters[i]);
    }
    for (std::size_t i = 0; i < query.metrics.size(); ++i) {
      fill_metrics(*state_->database, page, i, query.metrics[i]);
    }
    return rows;
  });
}

std::int64_t Log::count(const RunQuery& query) {
  return state_->read([&] {
    const Filter filter = parse_filter(query.filter);
    SQLite::Statement select =
        state_->prepare("SELECT count(*) FROM run WHERE " + condition_of(query, filter));
    bind_filter(select, 1, filter);
    select.executeStep();
    return static_cast<std::int64_t>(select.getColumn(0).getInt64());
  });
}

}  // namespace assay
