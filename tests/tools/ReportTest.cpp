// dash-test: serial

// What dash-report draws of results, and what it puts into a document.

#include <catch2/catch.hpp>
#include <string>

#include "Html.h"
#include "Markdown.h"
#include "Plots.h"
#include "Text.h"

using namespace dash::report;
using Catch::Matchers::Contains;

namespace {

Row row(const std::string& what, const std::string& size, double ours_ns, double twin_ns) {
  const double ratio = ours_ns / twin_ns;
  Row row;
  row.what = what;
  row.full_name = what;
  row.size = size;
  row.unit = "ns";
  row.ours = {"", "ours", {ours_ns, ours_ns, ours_ns}};
  row.twin = Side{"twin", "twin's", {twin_ns, twin_ns, twin_ns}};
  row.ratio = {"ratio", Ratio::Interval{ratio, ratio, ratio}};
  return row;
}

Row bar(Row row, const std::string& text, bool met) {
  row.bar = text;
  row.met = met;
  return row;
}

Run run_of(std::vector<Row> rows, int units = 2, const std::string& layout = "node") {
  Run run;
  run.program = "bench_thing";
  run.units = units;
  run.layout = layout;
  run.mode = "auto";
  run.rows = std::move(rows);
  return run;
}

Results results_of(std::vector<Run> runs) {
  Results results;
  results.began = "2026-01-02T03:04:05Z";
  results.effort = "full";
  results.runs = std::move(runs);
  return results;
}

TEST_CASE("a size is a number of bytes, or none") {
  CHECK(bytes_in("8 B") == 8);
  CHECK(bytes_in("64 KiB") == 65536);
  CHECK(bytes_in("4 MiB") == 4194304);
  CHECK(bytes_in("1 MiB each") == 0);
  CHECK(bytes_in("2 units") == 0);
  CHECK(bytes_in("") == 0);
}

TEST_CASE("a bar bounds the ratio, or something else") {
  CHECK(ratio_in_bar("<= 1.05") == 1.05);
  CHECK(ratio_in_bar("speed >= 0.5") == 2);
  CHECK(ratio_in_bar("<= twin + 5 ns") == 0);
  CHECK(ratio_in_bar("<= 30 us") == 0);
}

TEST_CASE("rows of three sizes are one plot, of latency and of bandwidth") {
  const Results results = results_of({run_of(
      {row("put", "4 KiB", 100, 200), row("put", "8 KiB", 150, 300), row("put", "8 B", 10, 20),
       row("get", "8 B", 10, 20), row("put", "64 KiB", 500, 1000)})});
  const auto latency = latency_plots(results);
  REQUIRE(latency.size() == 1);
  CHECK(latency[0].title == "put");
  CHECK(latency[0].caption == "thing, 2 units");
  REQUIRE(latency[0].series.size() == 2);
  CHECK(latency[0].series[1].name == "twin");
  REQUIRE(latency[0].series[0].points.size() == 4);
  CHECK(latency[0].series[0].points[0].x == 8);
  CHECK(latency[0].series[0].points[3].y == 500);
  const auto bandwidth = bandwidth_plots(results);
  REQUIRE(bandwidth.size() == 1);
  REQUIRE(bandwidth[0].series[0].points.size() == 3);
  CHECK(bandwidth[0].series[0].points[0].y == Approx(40.96));
}

TEST_CASE("communication beside computation is a plot of its own, with what stands beside it") {
  std::vector<Row> rows{row("get and computation", "1 MiB", 110, 100),
                        row("  MPI_Rget and computation", "1 MiB", 150, 100),
                        row("get and computation", "4 MiB", 101, 100),
                        row("  MPI_Rget and computation", "4 MiB", 180, 100)};
  for (Row& each : rows)
    each.twin->name = "computation alone";
  const Results results = results_of({run_of(rows)});
  const auto charts = overlap_plots(results);
  REQUIRE(charts.size() == 1);
  REQUIRE(charts[0].series.size() == 2);
  CHECK(charts[0].series[0].name == "DASH");
  CHECK(charts[0].series[1].name == "MPI_Rget and computation");
  CHECK(charts[0].series[1].points[1].y == 1.8);
  CHECK(latency_plots(results).empty());
}

TEST_CASE("rows of several numbers of units are one plot, wherever the number stands") {
  const auto scaling = scaling_plots(results_of(
      {run_of({row("barrier", "2 units", 10, 20)}, 2),
       run_of({row("barrier", "4 units", 30, 40)}, 4),
       run_of({row("barrier", "4 units", 90, 80)}, 4, "nolocal"),
       run_of({row("sum, 2 units", "1 MiB", 5, 6), row("sum, 8 units", "1 MiB", 3, 4)}, 0)}));
  REQUIRE(scaling.size() == 2);
  CHECK(scaling[0].title == "barrier");
  CHECK(scaling[0].series[0].points[1].x == 4);
  CHECK(scaling[0].series[0].points[1].y == 30);
  CHECK(scaling[1].title == "sum, 1 MiB");
  CHECK(scaling[1].series[0].points[0].y == 5);
}

TEST_CASE("a scaling plot has ours once, and a line for each twin with several numbers of units") {
  const auto beside = [](Row row, const std::string& twin) {
    row.twin->name = twin;
    return row;
  };
  const auto scaling = scaling_plots(
      results_of({run_of({beside(row("LULESH, 30,30,60", "1 unit", 80, 81), "shared"),
                          beside(row("LULESH, 30,30,60", "1 unit", 80, 82), "two-sided"),
                          beside(row("LULESH, 30,30,60", "2 units", 40, 41), "shared"),
                          beside(row("LULESH, 30,30,60", "2 units", 40, 42), "two-sided"),
                          beside(row("LULESH, 30,30,60", "8 units", 20, 21), "shared"),
                          beside(row("LULESH, 30,30,60", "8 units", 20, 40), "2 units")},
                         0)}));
  REQUIRE(scaling.size() == 1);
  CHECK(scaling[0].title == "LULESH, 30,30,60");
  const auto& series = scaling[0].series;
  REQUIRE(series.size() == 3);
  CHECK(series[0].name == "DASH");
  REQUIRE(series[0].points.size() == 3);
  CHECK(series[0].points[2].x == 8);
  CHECK(series[0].points[2].y == 20);
  CHECK(series[1].name == "shared");
  CHECK(series[1].points.size() == 3);
  CHECK(series[2].name == "two-sided");
  REQUIRE(series[2].points.size() == 2);
  CHECK(series[2].points[1].y == 42);
}

TEST_CASE("a plot of times that hardly differ has several labels") {
  const auto scaling = scaling_plots(results_of(
      {run_of({row("sum", "1 unit", 35e6, 36e6), row("sum", "2 units", 19e6, 20e6)}, 0)}));
  REQUIRE(scaling.size() == 1);
  CHECK_THAT(draw(scaling[0]), Contains(">20 ms<") && Contains(">30 ms<") && Contains(">40 ms<"));
}

TEST_CASE("what was measured in parts is taken together") {
  Results first = results_of({run_of({row("put", "8 B", 1, 2)}), run_of({}, 2, "nolocal")});
  Results second = results_of({run_of({row("put", "8 B", 3, 2)}), run_of({}, 4)});
  first.runs[1].program = "bench_other";
  for (Results* const part : {&first, &second}) {
    part->versions = {{"commit", "1"}};
    part->machine = {{"load", part == &first ? "0.1" : "0.2"}, {"processors", "2"}};
    for (Run& run : part->runs)
      run.seconds = 10;
  }
  second.began = "2026-01-02T02:00:00Z";
  const Results both = joined({first, second});
  REQUIRE(both.runs.size() == 3);
  CHECK(name_of(both.runs[0]) == "other, 2 units, nolocal");
  CHECK(name_of(both.runs[1]) == "thing, 2 units");
  CHECK(both.runs[1].rows[0].ours.samples[0] == 3);
  CHECK(name_of(both.runs[2]) == "thing, 4 units");
  CHECK(both.seconds == 30);
  CHECK(both.began == "2026-01-02T02:00:00Z");

  first.file = "a.json";
  second.file = "b.json";
  second.versions[0].second = "2";
  CHECK_THROWS_WITH(joined({first, second}),
                    "a.json and b.json cannot be taken together: commit "
                    "is 1 in one, 2 in the other");
}

TEST_CASE("a page has all rows, what was not met, and nothing from elsewhere") {
  Run failed = run_of({}, 2, "tcp");
  failed.code = 3;
  failed.output = "<nothing> works";
  failed.notes = {"failed: a contest", "5 rounds"};
  const std::string html =
      html_of(results_of({run_of({bar(row("put & get", "8 B", 3, 2), "<= 1.05", false)}), failed}));
  CHECK_THAT(html, Contains("<!DOCTYPE html>") && Contains("0 of 1") && Contains("NOT MET") &&
                       Contains("put &amp; get") && Contains("&lt;nothing&gt; works") &&
                       Contains("prefers-color-scheme: dark"));
  const std::string markdown = markdown_of(results_of({failed}));
  CHECK_THAT(markdown, Contains("- failed: a contest") && !Contains("5 rounds"));
  const std::string text = text_of(results_of({failed}));
  CHECK_THAT(text, Contains("  failed: a contest") && !Contains("5 rounds"));
  CHECK_THAT(html, !Contains("<script") && !Contains("<link") && !Contains("src="));
}

TEST_CASE("rows that differ in size are one line of markdown") {
  const std::string text = markdown_of(results_of({run_of(
      {bar(row("put", "8 B", 50, 100), "<= 1.05", true),
       bar(row("put", "64 B", 120, 100), "<= 1.05", false), row("get | b", "8 B", 1, 2)})}));
  CHECK_THAT(text, Contains("**1 of 2 bars met.**") &&
                       Contains("| thing, 2 units | put | 8 B to 64 B | twin | 0.5 to 1.2 | "
                                "<= 1.05 | **1 of 2**, not 64 B |") &&
                       Contains("| thing, 2 units | get \\| b | 8 B | twin | 0.5 |"));
}

TEST_CASE("rows whose twin has another form for one size are lines with their sizes") {
  Row other = bar(row("put", "64 B", 50, 100), "<= 1.05", true);
  other.twin->name = "persistent";
  const std::string text = markdown_of(
      results_of({run_of({bar(row("put", "8 B", 50, 100), "<= 1.05", true), row("get", "8 B", 1, 2),
                          other, bar(row("put", "4 KiB", 70, 100), "<= 1.05", true)})}));
  CHECK_THAT(text, Contains("| put | 8 B, 4 KiB | twin | 0.5 to 0.7 | <= 1.05 | 2 of 2 |") &&
                       Contains("| put | 64 B | persistent | 0.5 | <= 1.05 | met |"));
}

TEST_CASE("bars that are met by the interval only are counted, and marked") {
  Row close = bar(row("put", "8 B", 110, 100), "<= 1.05", true);
  close.by_interval = true;
  Row alone = close;
  alone.what = alone.full_name = "get";
  const Results results =
      results_of({run_of({close, bar(row("put", "64 B", 50, 100), "<= 1.05", true), alone})});
  CHECK_THAT(markdown_of(results), Contains("**3 of 3 bars met, 2 by the interval only.**") &&
                                       Contains("| 2 of 2, 1 by interval |") &&
                                       Contains("| met by interval |"));
  CHECK_THAT(text_of(results),
             Contains("met by interval") && Contains("3 of 3 bars met, 2 by the interval only"));
  CHECK_THAT(html_of(results),
             Contains("met by interval") && Contains("3 of 3 bars met, 2 by the interval only"));
}

TEST_CASE("a document keeps what is outside of its marks") {
  const std::string document =
      "# A\n" + std::string(begin_mark) + "\nold\n" + end_mark + "\nmore\n";
  CHECK(with_results(document, "new\n") ==
        "# A\n" + std::string(begin_mark) + "\n\nnew\n\n" + end_mark + "\nmore\n");
  CHECK_THROWS_WITH(with_results("# A\n", "new"), Contains("was expected once"));
  CHECK_THROWS_WITH(with_results(document + document, "new"), Contains("was expected once"));
}

}  // namespace
