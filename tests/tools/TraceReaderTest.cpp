// dash-test: serial

// Malformed files: the error names the file, the position and what was expected.

#include "TimelineText.h"
#include "UnitList.h"
#include "support/Catch.h"

using namespace dash::trace;
using Catch::Matchers::ContainsSubstring;
using dash::test::read;
using dash::test::TextFile;
using dash::test::TimelineText;

namespace {

std::string complete_text() {
  TimelineText text(1);
  text.unit(0).thread(0, "main");
  text.flight("operation", "get", 0, 80, 1, R"(,"args":{"bytes":8,"peer":0})");
  return text.text();
}

}  // namespace

TEST_CASE("dash-trace: a file that cannot be read: names the file and the reason") {
  CHECK_THROWS_WITH(read_timeline("/nowhere/run.json"),
                    "/nowhere/run.json cannot be read: No such file or directory");
  CHECK_THROWS_WITH(read_timeline("/"), ContainsSubstring("is not a file"));
}

TEST_CASE("dash-trace: a file that is not JSON: names line and column") {
  CHECK_THROWS_WITH(read("units: 3\n"),
                    ContainsSubstring("is not JSON") && ContainsSubstring("line 1, column 1"));
  CHECK_THROWS_WITH(read(""), ContainsSubstring("is empty"));
  std::string text = complete_text();
  text.replace(text.find(R"("ts")"), 4, "ts");
  CHECK_THROWS_WITH(read(text), ContainsSubstring("is not JSON") && ContainsSubstring("line 4"));
}

TEST_CASE("dash-trace: JSON that is not a timeline: names what was expected") {
  CHECK_THROWS_WITH(
      read(R"({"traceEvents":[]})"),
      ContainsSubstring("not a timeline") && ContainsSubstring("an array of events was expected"));
  CHECK_THROWS_WITH(read("[1,2]"), ContainsSubstring("an event was expected"));
  CHECK_THROWS_WITH(read("[[1,2]]"), ContainsSubstring("an event was expected"));
  CHECK_THROWS_WITH(read("7"), ContainsSubstring("an array of events was expected"));
  CHECK_THROWS_WITH(read("null"), ContainsSubstring("an array of events was expected"));
  CHECK_THROWS_WITH(read(R"([{"name":"other","ph":"X"}])"), ContainsSubstring("first event"));
  CHECK_THROWS_WITH(read("[]"), ContainsSubstring("without units"));
}

TEST_CASE("dash-trace: a truncated file: is reported for every length") {
  const std::string text = complete_text();
  const std::size_t first = text.find('\n');
  for (std::size_t length = first + 1; length + 2 < text.size(); ++length) {
    INFO(length << " of " << text.size() << " bytes");
    REQUIRE_THROWS_WITH(read(text.substr(0, length)), ContainsSubstring("is not complete") &&
                                                          ContainsSubstring("line ") &&
                                                          ContainsSubstring("events"));
  }
}

TEST_CASE("dash-trace: a malformed event: is named by its number") {
  const auto event = [](const char* json) {
    return read(TimelineText(1).unit(0).line(json).text());
  };
  CHECK_THROWS_WITH(event(R"({"name":"w","cat":"wait","ph":"X","pid":0,"tid":0,"dur":1})"),
                    ContainsSubstring("event 3 has no 'ts'"));
  CHECK_THROWS_WITH(event(R"({"name":"w","cat":"wait","ph":"X","pid":0,"tid":0,"ts":1,"dur":-1})"),
                    ContainsSubstring("event 3 has a negative duration"));
  CHECK_THROWS_WITH(event(R"({"name":"w","cat":"wait","ph":"X","pid":-4,"tid":0,"ts":1,"dur":1})"),
                    ContainsSubstring("not a unit"));
  CHECK_THROWS_WITH(event(R"({"name":"g","cat":"operation","ph":"b","pid":0,"tid":0,"ts":1})"),
                    ContainsSubstring("id2"));
  CHECK_THROWS_WITH(
      event(R"({"name":"w","cat":"wait","ph":"X","pid":0,"tid":0,"ts":1e300,"dur":1})"),
      ContainsSubstring("an invalid time"));
}

TEST_CASE("dash-trace: events of other tools: are ignored") {
  TimelineText text(1);
  text.unit(0).thread(0, "main").span("wait", "wait", 1, 2, R"(,"args":{"more":[1,{"a":null}]})");
  text.line(R"({"name":"theirs","cat":"gpu","ph":"X","pid":0,"tid":0,"ts":1,"dur":1})");
  text.line(R"({"name":"theirs","ph":"i","pid":0,"tid":0,"ts":1,"s":"g"})");
  const Timeline timeline = read(text.text());
  CHECK(timeline.events == 1);
  CHECK(timeline.units[0].threads[0].spans.size() == 1);
}

TEST_CASE("dash-trace: lists of units: are parsed, malformed ones refused") {
  CHECK(parse_units("").empty());
  CHECK(parse_units("3") == std::vector<int>{3});
  CHECK(parse_units("8,0-3,2") == std::vector<int>{0, 1, 2, 3, 8});
  for (const char* wrong : {",", "1,", "-1", "3-1", "a", "1-", "1 2", "1,,2", "99999999999"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(parse_units(wrong), ContainsSubstring("not a list of units"));
  }
}
