// dash-test: serial

// The row file that the table of a benchmark program writes.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/Catch.h"
#include "support/Comparison.h"
#include "support/RowFile.h"
#include "support/Table.h"

namespace {

using namespace dash::bench;
using nlohmann::json;

/// The lines that the table writes.
std::vector<json> written_by(Table& table) {
  const auto path =
      std::filesystem::temp_directory_path() / ("dash-bench-table-" + std::to_string(::getpid()));
  ::setenv("DASH_BENCH_ROWS", path.c_str(), 1);
  table.print();
  ::unsetenv("DASH_BENCH_ROWS");
  std::vector<json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    lines.push_back(json::parse(line));
  std::filesystem::remove(path);
  return lines;
}

TEST_CASE("a row contains all samples and the interval of the ratio") {
  const Outcome outcome = compare_samples({1, 2, 3}, {2, 4, 6}, {3, 4, 5});
  Table table;
  table.add(make_row("get", "8 B", "load", outcome, ratio_at_most(0.4)));
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 1);
  const json& row = lines[0];
  CHECK(row["name"] == "get");
  CHECK(row["size"] == "8 B");
  CHECK(row["unit"] == "ns");
  CHECK(row["ours"]["samples"] == json({1, 2, 3}));
  CHECK(row["baseline"]["name"] == "load");
  CHECK(row["baseline"]["samples"] == json({2, 4, 6}));
  CHECK(row["baseline"]["repeated"] == json({3, 4, 5}));
  CHECK_FALSE(row["ours"].contains("command"));
  CHECK(row["ratio"]["median"] == 0.5);
  CHECK(row["goal"] == "<= 0.4");
  CHECK(row["met"] == false);
}

TEST_CASE("a goal is not met if the time of the baseline is 0") {
  CHECK(ratios({0, 3, 0}, {2, 2, 0}) == Samples{0, 1.5, 1});
  const Outcome outcome = compare_samples({1, 2, 3}, {0, 0, 0}, {});
  CHECK_FALSE(ratio_at_most(0.5).is_met(outcome));
  CHECK_FALSE(speed_at_least(0.97).is_met(outcome));
  Table table;
  table.add(make_row("get", "8 B", "load", outcome, ratio_at_most(0.5)));
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0]["ratio"] == json{{"text", "inf"}});
  CHECK(lines[0]["met"] == false);
}

TEST_CASE("a row contains the commands, and a repeated baseline only if it was measured") {
  Outcome outcome = compare_samples({1, 2, 3}, {2, 4, 6}, {});
  outcome.figures.ours_origin = {"mpiexec -n 2 isx", "poll"};
  outcome.figures.baseline_origin = {"mpiexec -n 2 isx_mpi", ""};
  Table table;
  table.add(make_row("isx", "", "rma", outcome));
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0]["ours"]["command"] == "mpiexec -n 2 isx");
  CHECK(lines[0]["ours"]["progress"] == "poll");
  CHECK(lines[0]["baseline"]["command"] == "mpiexec -n 2 isx_mpi");
  CHECK_FALSE(lines[0]["baseline"].contains("progress"));
  CHECK_FALSE(lines[0]["baseline"].contains("repeated"));
}

TEST_CASE(
    "a row without baseline, goal or samples has null or empty fields, and notes are written") {
  Table table;
  table.add({"memory", "", "3 KiB", "", "", ""});
  table.add_note("a \"quoted\" note\n");
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["baseline"].is_null());
  CHECK(lines[0]["ratio"].is_null());
  CHECK(lines[0]["met"].is_null());
  CHECK(lines[0]["ours"]["samples"].empty());
  CHECK(lines[1] == json{{"note", "a \"quoted\" note\n"}});
}

TEST_CASE("append_rows: a file that cannot be written throws and is named") {
  CHECK_THROWS_WITH(append_rows("/no/such/folder/rows", {}, {"a note"}),
                    Catch::Matchers::ContainsSubstring("/no/such/folder/rows"));
}

TEST_CASE("interval_of_median: covers the median with 95 %, or has no bounds") {
  Samples samples(100);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<double>(i);
  const Interval interval = interval_of_median(samples);
  CHECK(interval.low == 39);
  CHECK(interval.high == 60);
  // All samples lie on one side of the median in 2 of 64 cases for six, in 2 of 32 for five.
  const Interval six = interval_of_median({6, 1, 3, 2, 5, 4});
  CHECK(six.low == 1);
  CHECK(six.high == 6);
  CHECK(to_string(six) == "4 [1, 6]");
  const Interval five = interval_of_median({5, 1, 3, 2, 4});
  CHECK(five.low == 3);
  CHECK(five.high == 3);
  CHECK(to_string(five) == "3");
  // Of nine samples the smallest and the largest can be left out: 20 of 512 cases.
  const Interval nine = interval_of_median({9, 1, 8, 2, 7, 3, 6, 4, 5});
  CHECK(nine.low == 2);
  CHECK(nine.high == 8);
}

TEST_CASE("the median decides whether a goal is met") {
  const Samples ones(9, 1);
  const Outcome outcome = compare_samples({9, 1, 8, 2, 7, 3, 6, 4, 5}, ones, ones);
  CHECK_FALSE(ratio_at_most(4.9).is_met(outcome));
  CHECK(ratio_at_most(5).is_met(outcome));
  CHECK_FALSE(speed_at_least(0.21).is_met(outcome));
  CHECK(speed_at_least(0.2).is_met(outcome));
  CHECK_FALSE(overhead_at_most_ns(3.9).is_met(outcome));
  CHECK(overhead_at_most_ns(4).is_met(outcome));
  Table table;
  table.add(make_row("get", "8 B", "load", outcome, ratio_at_most(2)));
  table.add(make_row("get", "8 B", "load", outcome, ratio_at_most(5)));
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["met"] == false);
  CHECK(lines[1]["met"] == true);
}

}  // namespace
