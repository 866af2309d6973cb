// dash-test: serial

// The picture of a timeline: well formed, bounded, and with what it has to show.

#include <catch2/catch.hpp>

#include <random>

#include "Columns.h"
#include "Picture.h"
#include "TimelineText.h"

using namespace dash::trace;
using Catch::Contains;
using dash::test::read;
using dash::test::TimelineText;

namespace {

std::string picture_of(const Timeline& timeline, const std::string& title = "run.json") {
  const std::vector<SelectedUnit> units = select(timeline, {});
  return draw(title, timeline, units, summarize(timeline, units));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

/// Every element that is opened is closed in order, and no text holds what XML reserves.
void check_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    REQUIRE(end != std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    REQUIRE(tag.find('<') == std::string::npos);
    const std::string name =
        tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" >/", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      REQUIRE_FALSE(open.empty());
      REQUIRE(open.back() == tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  REQUIRE(open.empty());
}

/// Much of everything, in units that do it at random.
Timeline busy_timeline(int units, int rounds) {
  std::mt19937 random(7);
  const auto some = [&](int most) { return 1 + static_cast<int>(random() % unsigned(most)); };
  TimelineText text(units);
  for (int unit = 0; unit < units; ++unit) {
    text.unit(unit).thread(1, "dash-progress").thread(2, "worker").thread(0, "main");
    double now = 0;
    for (int i = 0; i < rounds; ++i) {
      const double begin = now + some(30);
      text.flight("operation", "get", begin, begin + some(90), 1, R"(,"args":{"bytes":4096})");
      now = begin + some(50);
      text.span("wait", "wait", now, now + 10).thread(2, "worker");
      text.span("task", "chunk", begin, begin + some(20)).thread(1, "dash-progress");
      text.span("progress", "poll", begin, begin + 1).thread(0, "main");
      now += 90;
    }
  }
  return read(text.text());
}

}  // namespace

TEST_CASE("Columns stack the shares of states, and lose nothing that is short") {
  Columns columns({0, 1000}, 10, 2);
  columns.add(Interval{0, 300}, 0);
  columns.add(Interval{150, 200}, 1);  // half of a column, besides
  columns.add(Interval{900, 901}, 1);  // a hundredth
  columns.add(Interval{-50, 0}, 1);    // outside
  columns.add(Interval{1000, 2000}, 1);
  const std::vector<std::string> paths = columns.paths();
  REQUIRE(paths.size() == 2);
  CHECK(paths[0] == "M0 0h1v12h-1zM1 1h1v11h-1zM2 0h1v12h-1z");
  CHECK(paths[1] == "M1 0h1v1h-1zM9 11h1v1h-1z");
}

TEST_CASE("A picture has a row for each unit, lanes, tips, an axis and a legend") {
  TimelineText text(2);
  text.unit(0).thread(0, "main").thread(1, "dash-progress").span("progress", "asleep", 0, 90);
  text.thread(0, "main").flight("operation", "put", 10, 90, 1,
                                R"(,"args":{"bytes":1048576,"peer":1})");
  text.span("wait", "wait", 50, 90).span("call", "dart_wait", 49, 91);
  text.unit(1).thread(0, "main").span("collective", "barrier", 40, 91);
  const std::string svg = picture_of(read(text.text()), "a < b & \"c\"");
  check_well_formed(svg);
  CHECK_THAT(svg, Contains("a &lt; b &amp; &quot;c&quot;"));
  CHECK_THAT(svg, Contains(">unit 0<") && Contains(">unit 1<"));
  CHECK_THAT(svg, Contains("put of 1.00 MiB, unit 1") && Contains("wait in dart_wait"));
  CHECK_THAT(svg, Contains("unit 0, hidden: 39.0 us") && Contains("unit 0, exposed: 41.0 us"));
  CHECK_THAT(svg, Contains("unit 1, in a collective: 51.0 us"));
  CHECK_THAT(svg, Contains(">us<") && Contains(">90<"));
  CHECK(count(svg, ">progress<") == 1);  // unit 1 has no such thread
}

TEST_CASE("A picture stays below 2 MiB, however much there is to draw") {
  const Timeline timeline = busy_timeline(64, 100);
  const std::string svg = picture_of(timeline);
  check_well_formed(svg);
  CHECK(svg.size() < (std::size_t{2} << 20));
  CHECK_THAT(svg, Contains(">unit 63<"));
}

TEST_CASE("A picture of nothing is one, too") {
  TimelineText text(1);
  text.unit(0);
  check_well_formed(picture_of(read(text.text())));
}
