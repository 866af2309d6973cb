// dash-test: serial

// Summaries of composed timelines with known results. TimelineText takes microseconds, a summary has nanoseconds.

#include <nlohmann/json.hpp>

#include "Report.h"
#include "Summary.h"
#include "TimelineText.h"
#include "support/Catch.h"

using namespace dash::trace;
using dash::test::read;
using dash::test::TimelineText;

namespace {

constexpr const char* mib_from_1 = R"(,"args":{"bytes":1048576,"peer":1})";

Summary summary_of(const Timeline& timeline, const Selection& selection = {}) {
  return summarize(timeline, select(timeline, selection));
}
Summary summary_of(const TimelineText& text, const Selection& selection = {}) {
  return summary_of(read(text.text()), selection);
}

TimelineText one_unit() {
  TimelineText text(1);
  text.unit(0).thread(0, "main");
  return text;
}

const OperationSummary* find(const UnitSummary& unit, const std::string& name) {
  for (const OperationSummary& operation : unit.operations) {
    if (operation.name == name) return &operation;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("TimeSet: union, intersection and difference") {
  const TimeSet a({{10, 20}, {15, 30}, {30, 40}, {50, 50}, {60, 70}});
  REQUIRE(a.intervals() == std::vector<Interval>{{10, 40}, {60, 70}});
  REQUIRE(a.length() == 40);
  const TimeSet b({{0, 12}, {35, 65}, {68, 69}});
  CHECK((a & b).intervals() == std::vector<Interval>{{10, 12}, {35, 40}, {60, 65}, {68, 69}});
  CHECK((a - b).intervals() == std::vector<Interval>{{12, 35}, {65, 68}, {69, 70}});
  CHECK((a | b).intervals() == std::vector<Interval>{{0, 70}});
  CHECK((a - TimeSet()).intervals() == a.intervals());
  CHECK((TimeSet() - a).empty());
  CHECK((a & TimeSet()).empty());
}

TEST_CASE("dash-trace: a get with a wait for half of its time: is half hidden") {
  TimelineText text = one_unit();
  text.flight("operation", "get", 20, 100, 1, mib_from_1)
      .span("wait", "wait", 60, 100)
      .span("call", "dart_wait", 60, 100);
  const Summary summary = summary_of(text);
  REQUIRE(summary.units.size() == 1);
  const UnitSummary& unit = summary.units[0];
  CHECK(unit.time == 100'000);
  CHECK(unit.computing == 60'000);
  CHECK(unit.waiting == 40'000);
  CHECK(unit.in_calls == 0);
  CHECK(unit.transfers.in_flight == 80'000);
  CHECK(unit.transfers.hidden == 40'000);
  CHECK(unit.transfers.exposed == 40'000);
  CHECK(unit.transfers.share() == 0.5);
  const OperationSummary* const get = find(unit, "get");
  REQUIRE(get != nullptr);
  CHECK(get->count == 1);
  CHECK(get->nbytes == 1'048'576);
  REQUIRE(summary.longest_waits.size() == 1);
  CHECK(summary.longest_waits[0].time == Interval{60'000, 100'000});
  CHECK(summary.longest_waits[0].description == "wait in dart_wait, until get of 1.00 MiB, unit 1");
}

TEST_CASE("dash-trace: overlapping and nested operations: count once in the time in flight") {
  TimelineText text = one_unit();
  text.flight("operation", "get", 0, 40, 1)
      .flight("operation", "put", 10, 20, 2)  // inside of the get
      .flight("operation", "put", 30, 60, 3)  // beyond its end
      .flight("copy", "copy", 80, 90, 4)      // apart
      .span("wait", "wait", 50, 85);
  const UnitSummary unit = summary_of(text).total;
  CHECK(unit.transfers.in_flight == 70'000);
  CHECK(unit.transfers.exposed == 15'000);
  CHECK(unit.transfers.exposed_waits == 15'000);
  CHECK(find(unit, "put")->count == 2);
  CHECK(find(unit, "put")->overlap.in_flight == 40'000);
  CHECK(find(unit, "copy")->overlap.hidden == 5'000);
}

TEST_CASE("dash-trace: calls that do not wait: expose transfers") {
  TimelineText text = one_unit();
  text.flight("operation", "put", 0, 100, 1)
      .span("call", "dart_test", 10, 30)
      .span("copy", "chunk", 12, 20)
      .span("call", "dart_test", 40, 50);
  const UnitSummary unit = summary_of(text).total;
  CHECK(unit.in_calls == 30'000);
  CHECK(unit.waiting == 0);
  CHECK(unit.transfers.hidden == 70'000);
  CHECK(unit.transfers.exposed == 30'000);
  CHECK(unit.transfers.exposed_waits == 0);
  CHECK(unit.chunks == 1);
}

TEST_CASE(
    "dash-trace: a task that a waiting thread runs: is computation, a wait inside it is not") {
  TimelineText text = one_unit();
  text.flight("operation", "get", 0, 100, 1)
      .span("wait", "wait", 0, 100)
      .span("task", "task", 20, 80)
      .span("wait", "wait", 30, 40);
  const Summary summary = summary_of(text);
  CHECK(summary.total.computing == 50'000);
  CHECK(summary.total.waiting == 50'000);
  CHECK(summary.total.transfers.hidden == 50'000);
  CHECK(summary.total.in_tasks == 50'000);
  CHECK(summary.total.tasks == 1);
  REQUIRE(summary.longest_waits.size() == 2);
  CHECK(summary.longest_waits[0].time.length() == 100'000);
  CHECK(summary.longest_waits[1].time.length() == 10'000);
}

TEST_CASE("dash-trace: one computing thread: hides transfers while other threads wait") {
  TimelineText text = one_unit();
  text.flight("operation", "get", 0, 100, 1)
      .span("wait", "wait", 0, 100)
      .thread(1, "program")  // a worker: idle between its tasks
      .span("task", "chunk", 10, 30)
      .span("task", "chunk", 50, 60)
      .thread(2, "mine")  // a thread of the application: active from its first event to its last
      .span("call", "dart_put", 70, 72)
      .span("wait", "wait", 80, 85)
      .span("call", "dart_put", 90, 92)
      .thread(3, "dash-progress")
      .span("progress", "poll", 1, 2)
      .span("progress", "sleep", 2, 90)
      .span("progress", "poll", 90, 91);
  const Summary summary = summary_of(text);
  const UnitSummary& unit = summary.total;
  // 20 and 10 of the worker; 72 to 80 and 85 to 90 of the other thread.
  CHECK(unit.computing == 43'000);
  CHECK(unit.transfers.hidden == 43'000);
  CHECK(unit.waiting == 57'000);
  CHECK(unit.polls == 2);
  CHECK(unit.polling == 2'000);
  CHECK(unit.sleeping == 88'000);
  CHECK(unit.tasks == 2);
}

TEST_CASE("dash-trace: blocking operations and collectives: are waits") {
  TimelineText text = one_unit();
  text.span("operation", "get", 10, 30, mib_from_1)
      .span("call", "dart_get_blocking", 8, 31)
      .span("wait", "wait for a unit", 55, 79)
      .span("collective", "barrier", 52, 80)
      .span("call", "dart_barrier", 50, 80)
      .flight("collective", "allreduce", 80, 100, 7);
  const Summary summary = summary_of(text);
  CHECK(summary.total.waiting == 48'000);
  CHECK(summary.total.in_calls == 5'000);
  CHECK(summary.total.transfers.in_flight == 20'000);
  CHECK(summary.total.transfers.share() == 0.0);
  CHECK(summary.total.collectives.in_flight == 48'000);
  CHECK(summary.total.collectives.hidden == 20'000);
  CHECK(find(summary.total, "barrier")->collective);
  REQUIRE(summary.longest_waits.size() == 2);
  CHECK(summary.longest_waits[0].description == "barrier in dart_barrier");
  CHECK(summary.longest_waits[1].description == "get in dart_get_blocking");
}

TEST_CASE("dash-trace: reused ids: belong to successive operations") {
  TimelineText text = one_unit();
  // As in a file: the end by another thread follows the begin of a later operation.
  text.begin("operation", "get", 10, 1).begin("operation", "get", 40, 1);
  text.begin("copy", "copy", 12, 1);  // an id of another category is another id
  text.thread(1, "dash-progress");
  text.end("operation", "get", 20, 1).end("operation", "get", 60, 1).end("copy", "copy", 15, 1);
  const UnitSummary unit = summary_of(text).total;
  CHECK(find(unit, "get")->count == 2);
  CHECK(find(unit, "get")->overlap.in_flight == 30'000);
  CHECK(find(unit, "copy")->overlap.in_flight == 3'000);
  CHECK(unit.unfinished == 0);
}

TEST_CASE("dash-trace: incomplete recordings: give warnings") {
  TimelineText text(3);
  text.unit(0).thread(0, "main").begin("operation", "get", 10, 1).span("call", "dart_put", 20, 30);
  text.line(R"({"name":"dropped_events","ph":"M","pid":0,"args":{"events":1234}})");
  text.unit(1).thread(0, "main").end("operation", "get", 5, 1);
  const Summary summary = summary_of(text);
  CHECK(summary.units[0].unfinished == 1);
  CHECK(summary.units[0].transfers.in_flight == 20'000);
  CHECK(summary.units[1].transfers.in_flight == 0);
  REQUIRE(summary.warnings.size() == 3);
  CHECK(summary.warnings[0] == "the program had 3 units, but only 2 wrote their events");
  CHECK(summary.warnings[1] == "1,234 events at the end were not recorded: the buffer was full");
  CHECK(summary.warnings[2] ==
        "the end of 1 operation was not recorded: in flight until the last event");
}

TEST_CASE("dash-trace: a suspended task: is not a wait of the threads that ran it") {
  TimelineText text = one_unit();
  text.span("task", "task", 0, 10)
      .flight("task", "suspended", 10, 90, 5)
      .flight("call", "dart_wait", 8, 92, 6)  // a call in which the task was suspended
      .span("task", "task", 90, 100);
  const UnitSummary unit = summary_of(text).total;
  CHECK(unit.computing == 100'000);
  CHECK(unit.suspensions == 1);
  CHECK(unit.suspended == 80'000);
  CHECK(unit.transfers.in_flight == 0);
  CHECK_FALSE(unit.transfers.share().has_value());
}

TEST_CASE("dash-trace: events before the end of the initialization: are ignored") {
  TimelineText text = one_unit();
  text.flight("operation", "get", -50, -20, 1).flight("operation", "get", -10, 10, 2);
  text.span("wait", "wait", -100, 5).span("call", "dart_put", 90, 100);
  const UnitSummary unit = summary_of(text).total;
  CHECK(unit.time == 100'000);
  CHECK(unit.waiting == 5'000);
  CHECK(find(unit, "get")->count == 1);
  CHECK(unit.transfers.in_flight == 10'000);
}

TEST_CASE("dash-trace: a window and a list of units: select a part of the timeline") {
  TimelineText text(3);
  for (int unit = 0; unit < 3; ++unit) {
    text.unit(unit).thread(0, "main");
    text.flight("operation", "get", 10, 50, unit).span("wait", "wait", 30, 50 + 10 * unit);
  }
  const Timeline timeline = read(text.text());
  const Summary all = summary_of(timeline);
  CHECK(all.total.time == 50'000 + 60'000 + 70'000);
  CHECK(all.total.transfers.in_flight == 120'000);
  CHECK(all.longest_waits[0].unit == 2);

  const Summary part = summary_of(timeline, {{20'000, 40'000}, {0, 2}});
  REQUIRE(part.units.size() == 2);
  CHECK(part.units[1].id == 2);
  CHECK(part.total.time == 40'000);
  CHECK(part.total.transfers.in_flight == 40'000);
  CHECK(part.total.transfers.hidden == 20'000);
  CHECK(part.range == Interval{20'000, 40'000});

  CHECK_THROWS_WITH(select(timeline, {{}, {5}}),
                    Catch::Matchers::ContainsSubstring("no unit 5") &&
                        Catch::Matchers::ContainsSubstring("3 units, 0 to 2"));
  CHECK_THROWS_WITH(select(timeline, {{80'000, 90'000}, {}}),
                    Catch::Matchers::ContainsSubstring("no event was recorded"));
}

TEST_CASE("dash-trace: units without events: have an empty summary") {
  TimelineText text(2);
  text.unit(0).thread(0, "main").unit(1).thread(0, "main");
  const Timeline timeline = read(text.text());
  const Summary summary = summary_of(timeline);
  CHECK(summary.total.time == 0);
  CHECK(summary.longest_waits.empty());
  const std::string report = text_report("run.json", timeline, summary, false);
  CHECK_THAT(report, Catch::Matchers::ContainsSubstring("2 units") &&
                         Catch::Matchers::ContainsSubstring("No transfer was in flight"));
}

TEST_CASE("dash-trace: reports as text and as JSON: contain the summary") {
  TimelineText text(2);
  for (int unit = 0; unit < 2; ++unit) {
    text.unit(unit).thread(0, "main").flight("operation", "get", 0, 80, 1, mib_from_1);
    text.span("wait", "wait", 60, 100);
  }
  const Timeline timeline = read(text.text());
  const Summary summary = summary_of(timeline);
  const std::string people = text_report("run.json", timeline, summary, true);
  CHECK_THAT(people, Catch::Matchers::ContainsSubstring(
                         "75.0 % of the time in which transfers were in flight was "
                         "hidden: 120 us of 160 us."));
  CHECK_THAT(people, Catch::Matchers::ContainsSubstring("all  get            2  2.00 MiB"));

  const auto report = nlohmann::json::parse(json_report("run.json", timeline, summary));
  CHECK(report["total"]["transfers"]["hidden_share"] == 0.75);
  CHECK(report["units"].size() == 2);
  CHECK(report["units"][1]["transfers"]["exposed_ns"] == 20'000);
  CHECK(report["units"][0]["operations"][0]["bytes"] == 1'048'576);
  CHECK(report["longest_waits"][0]["length_ns"] == 40'000);
}
