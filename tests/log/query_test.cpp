// The table of runs: filter line, sorting, paging, chosen columns.
#include <QTest>
#include <cmath>
#include <random>

#include "core/log/filter.h"
#include "log/temporary_log.h"
#include "support/error_message.h"

using namespace assay;
using namespace assay::test;

class QueryTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void filters_data();
  void filters();
  void faults_name_the_place_data();
  void faults_name_the_place();
  void no_line_breaks_the_parser();
  void sorting();
  void every_column_sorts();
  void pages();
  void chosen_columns();
  void large_pages_have_the_same_columns();
  void keys();

 private:
  std::string names(const RunQuery& query);
  TemporaryLog place_;
  std::optional<Log> log_;
};

namespace {

void write_metrics(const TemporaryLog& place, const Run& run, double loss, double accuracy) {
  RunWriter writer(place.path(), run.id, directions());
  writer.metric("loss", 0, 100.0, 0.0);
  writer.metric("loss", 1, loss, 0.0);
  if (accuracy >= 0.0) writer.metric("test/accuracy", 1, accuracy, 0.0);
  writer.close();
}

NewRun with(NewRun run, const std::string& key, Value value) {
  run.parameters.set(key, std::move(value), Origin::set);
  return run;
}

}  // namespace

// a: lr 0.1, adam, loss 0.5       b: lr 0.01, sgd, loss 0.25, accuracy 0.9
// c: lr unset..., loss NaN        d: other paper, finished, trash-free, tags
void QueryTest::initTestCase() {
  log_.emplace(place_.path());
  NewRun a = with(with(new_run(1, "Alpha one"), "lr", 0.1), "optimizer", std::string("adam"));
  NewRun b = with(with(new_run(2, "beta_two"), "lr", 0.01), "optimizer", std::string("sgd"));
  NewRun c = with(new_run(3, "gamma 100%"), "flag", true);
  NewRun d = with(new_run(18446744073709551615ULL, "delta"), "lr", std::string("auto"));
  d.plugin = "other";
  d.experiment = "toy";
  d.preset = "paper";
  d.tags = {"good one", "Best"};
  const Run first = running(*log_, a), second = running(*log_, b), third = running(*log_, c);
  const Run fourth = log_->insert(d);
  write_metrics(place_, first, 0.5, -1.0);
  write_metrics(place_, second, 0.25, 0.9);
  write_metrics(place_, third, std::nan(""), 0.8);
  log_->end(second.id, RunState::finished, "", 0, std::nullopt);
  log_->set_notes(fourth.id, "Promising, \"quoted\" 50\\50");
}

std::string QueryTest::names(const RunQuery& query) {
  std::string text;
  for (const RunRow& row : log_->runs(query)) text += row.run.name.substr(0, 1);
  return text;
}

void QueryTest::filters_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("found");
  const auto row = [](const char* line, const char* found) {
    QTest::addRow("%s", line) << QString(line) << QString(found);
  };
  row("", "Abgd");
  row("  ", "Abgd");
  row("alpha", "A");
  row("a", "Abgd");
  row("alpha beta", "");
  row("sample", "Abg");
  row("FINISHED", "b");
  row("100%", "g");
  row("beta_two", "b");
  row("beta%two", "");
  row("\"Alpha one\"", "A");
  row("promising", "d");
  row("50\\50", "d");
  row("best", "d");
  row("tag:best", "d");
  row("tag:\"good one\"", "d");
  row("tag:good", "");
  row("paper:other", "d");
  row("paper:sample alpha", "A");
  row("experiment:toy", "d");
  row("experiment:other.toy", "d");
  row("experiment:descent", "Abg");
  row("preset:paper", "d");
  row("state:running", "Ag");
  row("state:queued", "d");
  row("seed:2", "b");
  row("seed:18446744073709551615", "d");
  row("lr>0.05", "A");
  row("lr > 0.05", "A");
  row("lr>=0.01", "Ab");
  row("lr<=0.01", "b");
  row("lr=0.1", "A");
  row("lr==1e-1", "A");
  row("lr!=0.1", "bd");
  row("lr=auto", "d");
  row("optimizer=adam", "A");
  row("optimizer!=adam", "b");
  row("flag=true", "g");
  row("flag=false", "");
  row("loss<0.4", "b");
  row("loss>0", "Ab");
  row("loss=nan", "g");
  row("loss!=nan", "Ab");
  row("test/accuracy>=0.8", "bg");
  row("test/accuracy>=0.8 state:finished", "b");
  row("seed>1 seed<10", "bg");
  row("missing>0", "");
  row("alpha >3", "");  // "alpha" is a key here
  row("epochs=5", "Abgd");
  row("\"epochs\">4 alpha", "A");
}

void QueryTest::filters() {
  QFETCH(QString, line);
  QFETCH(QString, found);
  RunQuery query;
  query.filter = line.toStdString();
  query.sort = "id";
  query.descending = false;
  QCOMPARE(names(query), found.toStdString());
  QCOMPARE(log_->count(query), static_cast<std::int64_t>(found.size()));
}

void QueryTest::faults_name_the_place_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* line, const char* message) {
    QTest::addRow("%s", line) << QString(line) << QString(message);
  };
  row("lr>abc", "at character 4: 'abc' is no number");
  row("alpha lr >", "at character 11: a value is missing after 'lr>'");
  row("> 3", "at character 1: a key is missing before '>'");
  row("word \"open", "at character 6: the quote \" is not closed");
  row("colour:red", "at character 1: 'colour:' is not known; allowed: paper");
  row("x state:done", "at character 9: no state 'done'; allowed: queued, running");
  row("seed:-1", "at character 6: '-1' is no seed");
  row("seed:", "at character 6: a value is missing after 'seed:'");
  row(":x", "at character 1: a key is missing before ':'");
}

void QueryTest::faults_name_the_place() {
  QFETCH(QString, line);
  QFETCH(QString, message);
  VERIFY_HOLDS(error_message([&] { parse_filter(line.toStdString()); }), message.toStdString());
  QCOMPARE(error_exit_code([&] { parse_filter(line.toStdString()); }), 2);
}

// Any line is either understood, and then SQLite takes it, or refused with a place.
void QueryTest::no_line_breaks_the_parser() {
  std::mt19937 random(7);
  const std::string letters = "ab:<>=!\" '%_\\;-()1.e?*\t\xc3\xa4/";
  for (int i = 0; i < 3000; ++i) {
    RunQuery query;
    for (std::size_t length = random() % 14; length > 0; --length) {
      query.filter += letters[random() % letters.size()];
    }
    try {
      log_->count(query);
    } catch (const Error& fault) {
      QCOMPARE(fault.kind(), ErrorKind::bad_input);
      VERIFY_HOLDS(fault.what(), "at character");
    }
  }
}

void QueryTest::sorting() {
  const auto sorted = [&](const std::string& column, bool descending) {
    RunQuery query;
    query.sort = column;
    query.descending = descending;
    return names(query);
  };
  QCOMPARE(sorted("name", false), std::string("Abdg"));
  QCOMPARE(sorted("name", true), std::string("gdbA"));
  QCOMPARE(sorted("seed", false), std::string("Abgd"));
  QCOMPARE(sorted("created", true), std::string("dgbA"));
  // Numbers before texts, what is not set last both ways.
  QCOMPARE(sorted("param:lr", false), std::string("bAdg"));
  QCOMPARE(sorted("param:lr", true), std::string("dAbg"));
  QCOMPARE(sorted("metric:loss", false).substr(0, 2), std::string("bA"));
  QCOMPARE(sorted("metric:loss", true).substr(0, 2), std::string("Ab"));
  QCOMPARE(sorted("metric:none", false), std::string("Abgd"));
  QCOMPARE(sorted("state", false), std::string("Agdb"));
  VERIFY_HOLDS(error_message([&] { sorted("name; DROP TABLE run", true); }),
               "runs can't be sorted by 'name; DROP TABLE run'");
}

void QueryTest::every_column_sorts() {
  for (const char* column : {"id",
                             "public_id",
                             "name",
                             "plugin",
                             "experiment",
                             "preset",
                             "parent",
                             "group",
                             "version",
                             "state",
                             "reason",
                             "seed",
                             "threads",
                             "created",
                             "started",
                             "ended",
                             "seconds",
                             "exit_code",
                             "signal",
                             "heartbeat",
                             "progress",
                             "progress_done",
                             "progress_total",
                             "progress_text",
                             "steps_per_second",
                             "eta_seconds",
                             "queue_position",
                             "state_sha256",
                             "notes",
                             "starred",
                             "trashed",
                             "tags"}) {
    RunQuery query;
    query.sort = column;
    QCOMPARE(log_->runs(query).size(), std::size_t{4});
  }
}

void QueryTest::pages() {
  RunQuery query;
  query.sort = "id";
  query.descending = false;
  query.limit = 2;
  QCOMPARE(names(query), std::string("Ab"));
  query.offset = 2;
  QCOMPARE(names(query), std::string("gd"));
  query.offset = 4;
  QCOMPARE(names(query), std::string());
  QCOMPARE(log_->count(query), std::int64_t{4});  // of all pages
}

void QueryTest::chosen_columns() {
  RunQuery query;
  query.sort = "id";
  query.descending = false;
  query.parameters = {"optimizer", "lr", "nothing"};
  query.metrics = {"loss", "test/accuracy", "nothing"};
  const auto rows = log_->runs(query);
  QCOMPARE(std::get<std::string>(*rows[0].parameters[0]), std::string("adam"));
  QCOMPARE(std::get<double>(*rows[0].parameters[1]), 0.1);
  QVERIFY(!rows[2].parameters[0] && !rows[2].parameters[1]);
  QCOMPARE(std::get<std::string>(*rows[3].parameters[1]), std::string("auto"));
  QCOMPARE(*rows[0].metrics[0], 0.5);
  QVERIFY(!rows[0].metrics[1]);
  QVERIFY(std::isnan(*rows[2].metrics[0]));  // recorded, as NaN: not the same as not recorded
  QVERIFY(!rows[3].metrics[0]);
  for (const RunRow& row : rows) QVERIFY(!row.parameters[2] && !row.metrics[2]);
  QCOMPARE(rows[3].run.tags, (std::vector<std::string>{"Best", "good one"}));
  QVERIFY(rows[0].run.tags.empty());
}

// Beyond a certain size of a page the columns are read another way.
void QueryTest::large_pages_have_the_same_columns() {
  const TemporaryLog place;
  Log log = place.open();
  std::vector<NewRun> wanted;
  for (std::uint64_t seed = 0; seed < 2500; ++seed) {
    NewRun run = new_run(seed, "run " + std::to_string(seed));
    run.parameters.set("twice", static_cast<std::int64_t>(2 * seed), Origin::set);
    run.tags = {"tag " + std::to_string(seed)};
    wanted.push_back(std::move(run));
  }
  log.insert(wanted);
  for (const std::int64_t limit : {std::int64_t{-1}, std::int64_t{100}}) {
    RunQuery query;
    query.sort = "seed";
    query.limit = limit;
    query.parameters = {"twice"};
    const auto rows = log.runs(query);
    QCOMPARE(rows.size(), limit < 0 ? std::size_t{2500} : std::size_t{100});
    for (const RunRow& row : rows) {
      QCOMPARE(std::get<std::int64_t>(*row.parameters[0]),
               static_cast<std::int64_t>(2 * row.run.seed));
      QCOMPARE(row.run.tags.at(0), "tag " + std::to_string(row.run.seed));
    }
  }
}

void QueryTest::keys() {
  QCOMPARE(log_->metric_keys(), (std::vector<std::string>{"loss", "test/accuracy"}));
  QCOMPARE(log_->parameter_keys(),
           (std::vector<std::string>{"epochs", "flag", "learning_rate", "lr", "optimizer"}));
}

QTEST_APPLESS_MAIN(QueryTest)
#include "query_test.moc"
