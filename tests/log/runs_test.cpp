// Runs in the log: asking, finding, claiming, ending, the queue, the dead, tags, trash, search.
#include <QTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <thread>

#include "core/base/files.h"
#include "log/temporary_log.h"
#include "support/error_message.h"

namespace fs = std::filesystem;
using namespace assay;
using namespace assay::test;

class RunsTest : public QObject {
  Q_OBJECT

 private slots:
  void a_run_comes_back_as_it_was_asked_for();
  void made_names_are_free();
  void finding_by_id_prefix_and_name();
  void a_run_is_claimed_once();
  void an_ended_run_can_be_claimed_again();
  void the_queue_keeps_its_order();
  void requests_are_taken_once();
  void the_dead_are_found();
  void changes_are_noticed();
  void names_notes_stars_and_tags();
  void search_finds_words();
  void trash_and_restore();
  void purge_removes_everything_and_nothing_else();
  void the_folder_can_be_moved();
  void claims_keep_the_latest();
};

void RunsTest::a_run_comes_back_as_it_was_asked_for() {
  const TemporaryLog place;
  Log log = place.open();
  NewRun wanted = new_run(18446744073709551615ULL, "my run");
  wanted.version = 3;
  wanted.threads = 2;
  wanted.parent = "abcdefghij";
  wanted.group = "claims of today";
  wanted.tags = {"b", "a", "b"};
  wanted.parameters.set("flag", true, Origin::file);
  wanted.parameters.set("whole", std::numeric_limits<std::int64_t>::min(), Origin::set);
  wanted.parameters.set("one", 1.0, Origin::set);
  wanted.parameters.set("nothing", std::nan(""), Origin::set);
  wanted.parameters.set("endless", HUGE_VAL, Origin::set);
  wanted.parameters.set("text", std::string("12"), Origin::set);
  wanted.parameters.set("betas", std::vector<double>{0.1, 1.0, -HUGE_VAL}, Origin::set);
  wanted.parameters.set("names", std::vector<std::string>{"a,b", "\"c\""}, Origin::set);
  wanted.parameters.set("empty", std::vector<double>{}, Origin::set);
  const Run run = log.insert(wanted);
  QCOMPARE(run.public_id.size(), std::size_t{10});
  QVERIFY(fs::is_directory(log.run_directory(run.public_id)));
  QCOMPARE(log.run_directory(run.public_id), place.path() / "runs" / run.public_id);
  QCOMPARE(run.name, std::string("my run"));
  QCOMPARE(run.plugin, std::string("sample"));
  QCOMPARE(run.experiment, std::string("descent"));
  QCOMPARE(run.preset, std::string("quick"));
  QCOMPARE(run.parent, wanted.parent);
  QCOMPARE(run.group, wanted.group);
  QCOMPARE(run.version, 3);
  QCOMPARE(run.threads, 2);
  QCOMPARE(run.seed, wanted.seed);
  QCOMPARE(run.state, RunState::queued);
  QCOMPARE(run.tags, (std::vector<std::string>{"a", "b"}));
  QVERIFY(std::abs(run.created - now_seconds()) < 10.0);
  QVERIFY(!run.started && !run.ended && !run.exit_code && !run.trashed);
  const ParameterSet stored = log.parameter_set(run.id);
  QCOMPARE(stored.all().size(), wanted.parameters.all().size());
  for (const auto& [key, parameter] : wanted.parameters.all()) {
    QCOMPARE(stored.all().at(key).origin, parameter.origin);
    if (key == "nothing") continue;
    QVERIFY2(stored.all().at(key).value == parameter.value, key.c_str());
  }
  QVERIFY(std::isnan(std::get<double>(stored.all().at("nothing").value)));
}

void RunsTest::made_names_are_free() {
  const TemporaryLog place;
  Log log = place.open();
  const auto runs = log.insert(std::vector<NewRun>{new_run(1), new_run(1), new_run(2)});
  QCOMPARE(runs[0].name, std::string("descent-s1"));
  QCOMPARE(runs[1].name, std::string("descent-s1-2"));
  QCOMPARE(runs[2].name, std::string("descent-s2"));
  QCOMPARE(log.find("descent-s1").id, runs[0].id);
  log.trash({runs[0].id});
  QCOMPARE(log.insert(new_run(1)).name, std::string("descent-s1"));
}

void RunsTest::finding_by_id_prefix_and_name() {
  const TemporaryLog place;
  Log log = place.open();
  const Run a = log.insert(new_run(1, "same")), b = log.insert(new_run(2, "same"));
  const Run c = log.insert(new_run(3, "other%"));
  QCOMPARE(log.find(a.public_id).id, a.id);
  QCOMPARE(log.find(b.public_id.substr(0, 9)).id, b.id);
  QCOMPARE(log.find("other%").id, c.id);
  const std::string several = error_message([&] { log.find("same"); });
  VERIFY_HOLDS(several, "stands for several runs");
  VERIFY_HOLDS(several, a.public_id);
  VERIFY_HOLDS(several, b.public_id);
  VERIFY_HOLDS(error_message([&] { log.find("%"); }), "no run '%'");
  VERIFY_HOLDS(error_message([&] { log.find(""); }), "no run ''");
  VERIFY_HOLDS(error_message([&] { log.find(a.public_id.substr(0, 2)); }), "no run");
  QCOMPARE(error_exit_code([&] { log.find("nobody"); }), 2);
  log.trash({a.id});
  QCOMPARE(log.find("same").id, b.id);
  QCOMPARE(log.find(a.public_id).id, a.id);  // to be restored
}

void RunsTest::a_run_is_claimed_once() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = log.insert(new_run());
  log.request(run.id, Request::Kind::pause);
  std::atomic<int> won = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Log own = place.open();
      if (own.claim(run.id, {RunState::queued, RunState::paused}, this_process(), 3)) ++won;
    });
  }
  for (std::thread& thread : threads) thread.join();
  QCOMPARE(won.load(), 1);
  const Run claimed = log.run(run.id);
  QCOMPARE(claimed.state, RunState::running);
  QCOMPARE(claimed.process, this_process());
  QCOMPARE(claimed.threads, 3);
  QVERIFY(claimed.started.has_value());
  QVERIFY(log.take_requests(run.id).empty());
  log.trash({log.insert(new_run()).id});
}

void RunsTest::an_ended_run_can_be_claimed_again() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  log.request(run.id, Request::Kind::stop);
  log.end(run.id, RunState::failed, "the loss is not finite", 3, std::nullopt, "");
  Run now = log.run(run.id);
  QCOMPARE(now.state, RunState::failed);
  QCOMPARE(now.reason, std::string("the loss is not finite"));
  QCOMPARE(now.exit_code.value_or(-1), 3);
  QVERIFY(now.ended.has_value() && !now.signal);
  QVERIFY(!log.claim(run.id, {RunState::queued, RunState::paused}, this_process(), 1));
  QVERIFY(log.claim(run.id, {RunState::failed}, this_process(), 1));
  now = log.run(run.id);
  QVERIFY(now.reason.empty() && !now.ended && !now.exit_code);
  QCOMPARE(now.started.value_or(0.0), log.run(run.id).started.value_or(1.0));
  QVERIFY(log.take_requests(run.id).empty());
  log.end(run.id, RunState::paused, "", std::nullopt, std::nullopt);
  QVERIFY(!log.run(run.id).ended);
  QVERIFY(log.claim(run.id, {RunState::paused}, this_process(), 1));
  log.end(run.id, RunState::finished, "", 0, std::nullopt, std::string(64, 'f'));
  QCOMPARE(log.run(run.id).state_sha256, std::string(64, 'f'));
}

void RunsTest::the_queue_keeps_its_order() {
  const TemporaryLog place;
  Log log = place.open();
  QVERIFY(!log.next_queued());
  const auto runs = log.insert(std::vector<NewRun>{new_run(1), new_run(2), new_run(3), new_run(4)});
  const auto order = [&] {
    RunQuery query;
    query.filter = "state:queued";
    query.sort = "queue_position";
    query.descending = false;
    std::vector<std::uint64_t> seeds;
    for (const RunRow& row : log.runs(query)) seeds.push_back(row.run.seed);
    return seeds;
  };
  using Seeds = std::vector<std::uint64_t>;
  QCOMPARE(order(), (Seeds{1, 2, 3, 4}));
  log.move_in_queue(runs[3].id, runs[0].id);
  QCOMPARE(order(), (Seeds{4, 1, 2, 3}));
  log.move_in_queue(runs[0].id, 0);
  QCOMPARE(order(), (Seeds{4, 2, 3, 1}));
  log.move_in_queue(runs[1].id, runs[1].id);
  QCOMPARE(order(), (Seeds{4, 2, 3, 1}));
  QCOMPARE(log.next_queued()->seed, std::uint64_t{4});
  QVERIFY(log.claim(runs[3].id, {RunState::queued}, this_process(), 1));
  log.move_in_queue(runs[3].id, runs[0].id);  // begun: stays out of it
  log.remove_from_queue(runs[1].id);
  QCOMPARE(order(), (Seeds{3, 1}));
  QCOMPARE(log.run(runs[1].id).state, RunState::stopped);
  QCOMPARE(log.run(runs[1].id).reason, std::string("removed from the queue"));
  log.remove_from_queue(runs[3].id);
  QCOMPARE(log.run(runs[3].id).state, RunState::running);
  log.insert(new_run(9));
  QCOMPARE(order(), (Seeds{3, 1, 9}));
}

void RunsTest::requests_are_taken_once() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  log.request(run.id, Request::Kind::pause);
  log.request(run.id, Request::Kind::resume);
  log.request(run.id, Request::Kind::stop);
  const auto taken = log.take_requests(run.id);
  QCOMPARE(taken.size(), std::size_t{3});
  QCOMPARE(taken[0].kind, Request::Kind::pause);
  QCOMPARE(taken[1].kind, Request::Kind::resume);
  QCOMPARE(taken[2].kind, Request::Kind::stop);
  QVERIFY(taken[2].time > 1e9);
  QVERIFY(log.take_requests(run.id).empty());
}

void RunsTest::the_dead_are_found() {
  const TemporaryLog place;
  ProcessIdentity gone;
  {
    const pid_t child = in_child([] {
      ::pause();
      return 0;
    });
    gone = this_process();
    gone.pid = child;
    gone.start_ticks = 1;  // of a process that had this pid long ago
    Log log = place.open();
    const Run alive = running(log);
    const Run crashed = log.insert(new_run(2)), killed = log.insert(new_run(3));
    const Run rebooted = log.insert(new_run(4));
    QVERIFY(log.claim(crashed.id, {RunState::queued}, gone, 1));
    QVERIFY(log.claim(killed.id, {RunState::queued}, gone, 1));
    ProcessIdentity elsewhere = this_process();
    elsewhere.boot_id = "00000000-0000-0000-0000-000000000000";
    QVERIFY(log.claim(rebooted.id, {RunState::queued}, elsewhere, 1));
    log.mark_terminated(killed.id);
    const std::vector<Run> changed = log.reap();
    QCOMPARE(changed.size(), std::size_t{3});
    QCOMPARE(log.run(alive.id).state, RunState::running);
    QCOMPARE(log.run(crashed.id).state, RunState::crashed);
    VERIFY_HOLDS(log.run(crashed.id).reason, "gone without a word");
    QCOMPARE(log.run(killed.id).state, RunState::killed);
    VERIFY_HOLDS(log.run(killed.id).reason, "did not answer to stop");
    QCOMPARE(log.run(rebooted.id).state, RunState::crashed);
    VERIFY_HOLDS(log.run(rebooted.id).reason, "machine was restarted");
    VERIFY_HOLDS(log.events(crashed.id).at(0).text, "crashed: its process");
    QCOMPARE(log.events(crashed.id).at(0).level, EventLevel::error);
    QVERIFY(log.reap().empty());
    QCOMPARE(log.events(crashed.id).size(), std::size_t{1});
    // Resumed: the old mark of a terminate is gone with the old attempt.
    QVERIFY(log.claim(killed.id, {RunState::killed}, gone, 1));
    QCOMPARE(log.reap().at(0).state, RunState::crashed);
    ::kill(child, SIGKILL);
    QCOMPARE(ended(child), -SIGKILL);
  }
}

void RunsTest::changes_are_noticed() {
  const TemporaryLog place;
  Log log = place.open(), other = place.open();
  std::int64_t before = log.change_counter();
  QCOMPARE(log.change_counter(), before);
  const auto changed = [&] {
    const std::int64_t now = log.change_counter();
    return std::exchange(before, now) != now;
  };
  const Run run = log.insert(new_run());
  QVERIFY(changed());
  other.set_notes(run.id, "seen from elsewhere");
  QVERIFY(changed());
  log.set_notes(run.id, "ours");
  other.set_notes(run.id, "theirs");
  QVERIFY(changed());
  log.runs({});
  QVERIFY(!changed());
}

void RunsTest::names_notes_stars_and_tags() {
  const TemporaryLog place;
  Log log = place.open();
  const Run a = log.insert(new_run(1)), b = log.insert(new_run(2));
  log.rename(a.id, "baseline; DROP TABLE run;--");
  log.set_notes(a.id, "# Ünïcode\n*notes*");
  log.set_starred(a.id, true);
  log.add_tag({a.id, b.id, 999}, "good");
  log.add_tag({a.id}, "good");
  log.add_tag({a.id}, "also");
  QCOMPARE(log.run(a.id).name, std::string("baseline; DROP TABLE run;--"));
  QCOMPARE(log.run(a.id).notes, std::string("# Ünïcode\n*notes*"));
  QVERIFY(log.run(a.id).starred && !log.run(b.id).starred);
  QCOMPARE(log.all_tags(), (std::vector<std::string>{"also", "good"}));
  log.remove_tag({a.id}, "good");
  QCOMPARE(log.run(a.id).tags, (std::vector<std::string>{"also"}));
  QCOMPARE(log.run(b.id).tags, (std::vector<std::string>{"good"}));
  log.trash({a.id});
  QCOMPARE(log.all_tags(), (std::vector<std::string>{"good"}));
  QCOMPARE(error_message([&] { log.rename(b.id, ""); }),
           std::string("a run's name can't be empty"));
  QCOMPARE(error_exit_code([&] { log.run(12345); }), 2);
}

void RunsTest::search_finds_words() {
  const TemporaryLog place;
  Log log = place.open();
  const Run by_line = running(log, new_run(1, "first"));
  {
    RunWriter writer(place.path(), by_line.id, {});
    writer.event(EventLevel::info, "the gradient exploded at layer 7", 0);
    writer.close();
  }
  const Run by_note = log.insert(new_run(2, "second"));
  log.set_notes(by_note.id, "no gradient clipping here");
  const Run by_name = log.insert(new_run(3, "gradient-check"));
  using Ids = std::vector<std::string>;
  QCOMPARE(log.search("gradient").size(), std::size_t{3});
  QCOMPARE(log.search("gradient").front(), by_name.public_id);
  QCOMPARE(log.search("gradient").back(), by_line.public_id);
  QCOMPARE(log.search("grad expl"), (Ids{by_line.public_id}));
  QCOMPARE(log.search("gradient", 1).size(), std::size_t{1});
  QVERIFY(log.search("").empty());
  QVERIFY(log.search("   ").empty());
  for (const char* odd :
       {"\"", "a\"b", "NOT", "gradient AND", "*", "(", "name:", "x^2", "-", "'"}) {
    log.search(odd);  // no letter is an operator: nothing is thrown
  }
  log.set_notes(by_note.id, "changed");
  QCOMPARE(log.search("clipping").size(), std::size_t{0});
  QCOMPARE(log.search("changed"), (Ids{by_note.public_id}));
  log.rename(by_name.id, "other");
  log.trash({by_note.id});
  QVERIFY(log.search("changed").empty());
  QCOMPARE(log.search("gradient"), (Ids{by_line.public_id}));
  log.purge({by_note.id});
  QVERIFY(log.search("changed").empty());
}

void RunsTest::trash_and_restore() {
  const TemporaryLog place;
  Log log = place.open();
  const Run busy = running(log, new_run(1)), waiting = log.insert(new_run(2));
  const std::string refusal = error_message([&] { log.trash({waiting.id, busy.id}); });
  QCOMPARE(refusal, busy.public_id + " is running and can't go to the trash; stop it first");
  QVERIFY(!log.run(waiting.id).trashed);  // all or nothing
  log.trash({waiting.id});
  QVERIFY(log.run(waiting.id).trashed.has_value());
  QCOMPARE(log.run(waiting.id).state, RunState::stopped);
  QVERIFY(!log.next_queued());
  QVERIFY(!log.claim(waiting.id, {RunState::stopped}, this_process(), 1));
  RunQuery trashed;
  trashed.trash = RunQuery::Trash::trashed;
  QCOMPARE(log.count({}), std::int64_t{1});
  QCOMPARE(log.count(trashed), std::int64_t{1});
  QCOMPARE(log.runs(trashed).at(0).run.id, waiting.id);
  QCOMPARE(log.state_counts(), (std::map<RunState, std::int64_t>{{RunState::running, 1}}));
  QCOMPARE(log.runs_per_plugin(), (std::map<std::string, std::int64_t>{{"sample", 1}}));
  log.restore({waiting.id});
  QVERIFY(!log.run(waiting.id).trashed);
  QCOMPARE(log.count({}), std::int64_t{2});
}

void RunsTest::purge_removes_everything_and_nothing_else() {
  const TemporaryLog place;
  Log log = place.open();
  const Run gone = running(log, new_run(1)), kept = running(log, new_run(2));
  for (const Run& run : {gone, kept}) {
    RunWriter writer(place.path(), run.id, directions());
    for (std::int64_t step = 0; step < 100; ++step) writer.metric("loss", step, 1.0, 0.0);
    writer.event(EventLevel::info, "hello", 0);
    writer.timing("prepare", 1.0);
    writer.provenance(Json::object());
    Artifact artifact;
    artifact.key = "image";
    writer.artifact(artifact);
    writer.close();
    log.add_tag({run.id}, "tagged");
    fs::create_directories(log.run_directory(run.public_id) / "artifacts");
    write_atomically(log.run_directory(run.public_id) / "artifacts" / "1.txt",
                     std::string(1000, 'x'));
  }
  // A link out of the folder: only the link goes.
  const fs::path outside = place.root() / "outside";
  fs::create_directories(outside);
  write_atomically(outside / "precious.txt", "precious");
  fs::create_directory_symlink(outside, log.run_directory(gone.public_id) / "link");
  log.end(gone.id, RunState::finished, "", 0, std::nullopt);
  VERIFY_HOLDS(error_message([&] { log.purge({gone.id}); }), "is not in the trash");
  QVERIFY(fs::exists(log.run_directory(gone.public_id)));
  log.trash({gone.id});
  QCOMPARE(log.purge({gone.id}), std::uint64_t{1000});
  QVERIFY(!fs::exists(log.run_directory(gone.public_id)));
  QVERIFY(fs::exists(outside / "precious.txt"));
  QVERIFY(fs::exists(log.run_directory(kept.public_id) / "artifacts" / "1.txt"));
  QCOMPARE(error_exit_code([&] { log.run(gone.id); }), 2);
  QVERIFY(log.curve(gone.id, "loss").empty());
  QVERIFY(log.events(gone.id).empty());
  QVERIFY(log.artifacts(gone.id).empty());
  QVERIFY(log.parameters(gone.id).empty());
  QVERIFY(log.metrics(gone.id).empty());
  QCOMPARE(log.curve(kept.id, "loss").size(), std::size_t{100});
  QCOMPARE(log.purge({gone.id}), std::uint64_t{0});
  std::set<std::string> left;
  for (const auto& entry : fs::directory_iterator(place.path() / "runs")) {
    left.insert(entry.path().filename().string());
  }
  QCOMPARE(left, (std::set<std::string>{kept.public_id}));
}

void RunsTest::the_folder_can_be_moved() {
  const TemporaryLog place;
  std::string id;
  {
    Log log = place.open();
    const Run run = running(log);
    id = run.public_id;
    RunWriter writer(place.path(), run.id, directions());
    writer.metric("loss", 0, 1.0, 0.0);
    Artifact artifact;
    artifact.key = "text";
    artifact.path = "runs/" + id + "/text.txt";
    writer.artifact(artifact);
    writer.close();
    write_atomically(place.path() / artifact.path, "found");
  }
  const fs::path moved = place.root() / "another place" / "log?#%41 ü";
  fs::create_directories(moved.parent_path());
  fs::rename(place.path(), moved);
  for (const Log::Mode mode : {Log::Mode::read_only, Log::Mode::read_write}) {
    Log log(moved, mode);
    const Run run = log.find(id);
    QCOMPARE(log.curve(run.id, "loss").size(), std::size_t{1});
    QCOMPARE(read_text(log.directory() / log.artifacts(run.id).at(0).path), std::string("found"));
  }
}

void RunsTest::claims_keep_the_latest() {
  const TemporaryLog place;
  Log log = place.open();
  log.store_claim({"sample", "faster", "quick", 10.0, Json{{"verdict", "undecided"}}});
  log.store_claim({"sample", "faster", "standard", 30.0, Json{{"verdict", "reproduced"}}});
  log.store_claim({"sample", "faster", "quick", 20.0, Json{{"verdict", "not reproduced"}}});
  log.store_claim({"sample", "equal", "quick", 5.0, Json{{"verdict", "reproduced"}}});
  log.store_claim({"other", "faster", "quick", 99.0, Json::object()});
  const auto claims = log.claims("sample");
  QCOMPARE(claims.size(), std::size_t{2});
  QCOMPARE(claims[0].claim, std::string("equal"));
  QCOMPARE(claims[1].preset, std::string("standard"));
  QCOMPARE(claims[1].result["verdict"].get<std::string>(), std::string("reproduced"));
  QVERIFY(log.claims("nobody").empty());
}

QTEST_APPLESS_MAIN(RunsTest)
#include "runs_test.moc"
