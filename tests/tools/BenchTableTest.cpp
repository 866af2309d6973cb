// dash-test: serial

// What a table of a measuring program leaves for who reads its file.

#include <catch2/catch.hpp>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/Contest.h"
#include "support/RowFile.h"
#include "support/Table.h"

namespace {

using namespace dash::bench;
using nlohmann::json;

/// What the table writes, line by line.
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

TEST_CASE("a row of a contest keeps every sample and the interval of the ratio") {
  const Outcome outcome = outcome_of({1, 2, 3}, {2, 4, 6}, {3, 4, 5});
  Table table;
  table.add(row_of("get", "8 B", "load", outcome, ratio_at_most(0.4)));
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 1);
  const json& row = lines[0];
  CHECK(row["what"] == "get");
  CHECK(row["size"] == "8 B");
  CHECK(row["unit"] == "ns");
  CHECK(row["ours"]["samples"] == json({1, 2, 3}));
  CHECK(row["twin"]["name"] == "load");
  CHECK(row["twin"]["samples"] == json({2, 4, 6}));
  CHECK(row["twin"]["again"] == json({3, 4, 5}));
  CHECK_FALSE(row["ours"].contains("command"));
  CHECK(row["ratio"]["median"] == 0.5);
  CHECK(row["bar"] == "<= 0.4");
  CHECK(row["met"] == false);
}

TEST_CASE("no bar is met against a twin that takes no time") {
  CHECK(ratios({0, 3, 0}, {2, 2, 0}) == Samples{0, 1.5, 1});
  const Outcome outcome = outcome_of({1, 2, 3}, {0, 0, 0}, {});
  CHECK_FALSE(ratio_at_most(0.5).is_met(outcome));
  CHECK_FALSE(speed_at_least(0.97).is_met(outcome));
  Table table;
  table.add(row_of("get", "8 B", "load", outcome, ratio_at_most(0.5)));
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0]["ratio"] == json{{"text", "inf"}});
  CHECK(lines[0]["met"] == false);
}

TEST_CASE("a row says what was started for it, and has a twin again only if there was one") {
  Outcome outcome = outcome_of({1, 2, 3}, {2, 4, 6}, {});
  outcome.figures.ours_from = {"mpiexec -n 2 isx", "poll"};
  outcome.figures.twin_from = {"mpiexec -n 2 isx_mpi", ""};
  Table table;
  table.add(row_of("isx", "", "rma", outcome));
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0]["ours"]["command"] == "mpiexec -n 2 isx");
  CHECK(lines[0]["ours"]["progress"] == "poll");
  CHECK(lines[0]["twin"]["command"] == "mpiexec -n 2 isx_mpi");
  CHECK_FALSE(lines[0]["twin"].contains("progress"));
  CHECK_FALSE(lines[0]["twin"].contains("again"));
}

TEST_CASE("a row without a twin, a bar or figures says so, and notes are kept") {
  Table table;
  table.add({"memory", "", "3 KiB", "", "", ""});
  table.note("by \"hand\"\n");
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["twin"].is_null());
  CHECK(lines[0]["ratio"].is_null());
  CHECK(lines[0]["met"].is_null());
  CHECK(lines[0]["ours"]["samples"].empty());
  CHECK(lines[1] == json{{"note", "by \"hand\"\n"}});
}

TEST_CASE("a file of rows that cannot be written is an error that names it") {
  CHECK_THROWS_WITH(append_rows("/no/such/folder/rows", {}, {"a note"}),
                    Catch::Matchers::Contains("/no/such/folder/rows"));
}

TEST_CASE("the interval of a median holds it 95 times of 100, or is not there") {
  Samples samples(100);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<double>(i);
  const Interval interval = interval_of_median(samples);
  CHECK(interval.low == 39);
  CHECK(interval.high == 60);
  // Six samples are all on one side in 2 of 64 cases, five in 2 of 32.
  const Interval six = interval_of_median({6, 1, 3, 2, 5, 4});
  CHECK(six.low == 1);
  CHECK(six.high == 6);
  CHECK(text_of(six) == "4 [1, 6]");
  const Interval five = interval_of_median({5, 1, 3, 2, 4});
  CHECK(five.low == 3);
  CHECK(five.high == 3);
  CHECK(text_of(five) == "3");
  // Of nine, the smallest and the largest can go: 20 of 512 cases.
  const Interval nine = interval_of_median({9, 1, 8, 2, 7, 3, 6, 4, 5});
  CHECK(nine.low == 2);
  CHECK(nine.high == 8);
}

TEST_CASE("a bar is judged by the median where samples are too few for an interval") {
  const Outcome outcome = outcome_of({1, 3, 3}, {1, 1, 1}, {1, 1, 1});
  CHECK_FALSE(ratio_at_most(2).is_met(outcome));
  CHECK(ratio_at_most(3).is_met(outcome));
}

TEST_CASE("a row says whether its bar is met by the interval only") {
  const Samples ones(9, 1);
  const Outcome outcome = outcome_of({9, 1, 8, 2, 7, 3, 6, 4, 5}, ones, ones);
  Table table;
  table.add(row_of("get", "8 B", "load", outcome, ratio_at_most(1)));
  table.add(row_of("get", "8 B", "load", outcome, ratio_at_most(2)));
  table.add(row_of("get", "8 B", "load", outcome, speed_at_least(0.2)));
  const auto lines = written_by(table);
  REQUIRE(lines.size() == 3);
  CHECK((lines[0]["met"] == false && !lines[0].contains("by_interval")));
  CHECK((lines[1]["met"] == true && lines[1]["by_interval"] == true));
  CHECK((lines[2]["met"] == true && !lines[2].contains("by_interval")));
}

}  // namespace
