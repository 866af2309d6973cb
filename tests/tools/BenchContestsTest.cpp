// dash-test: serial

// The contests of a program, of which some fail.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "BenchPrograms.h"
#include "core/diagnostics/StderrCapture.h"
#include "dash/core/Topology.h"
#include "support/Contests.h"
#include "support/KernelRows.h"

namespace {

using namespace dash::bench;
using Catch::Matchers::Contains;
using dash::test::Programs;
using nlohmann::json;

/// What a program of contests leaves behind.
struct Left {
  int code = 0;
  std::string errors;
  std::vector<json> rows;
  std::vector<std::string> notes;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const json& row : rows)
      all.push_back(row["what"].get<std::string>());
    return all;
  }
};

Left left_by(const std::function<void(Contests&)>& measure) {
  const Programs folder;
  ::setenv("DASH_BENCH_ROWS", folder.path("rows").c_str(), 1);
  Left left;
  StderrCapture errors;
  left.code = run_contests("bench_it", measure);
  left.errors = errors.text();
  ::unsetenv("DASH_BENCH_ROWS");
  std::ifstream file(folder.path("rows"));
  for (std::string line; std::getline(file, line);) {
    json each = json::parse(line);
    if (each.contains("note")) {
      left.notes.push_back(each["note"].get<std::string>());
    } else {
      left.rows.push_back(std::move(each));
    }
  }
  return left;
}

void add_row(Table& table, const std::string& what) {
  table.add({what, "", "", "", "", ""});
}

TEST_CASE("contests that all run are rows and the code 0") {
  const Left left = left_by([](Contests& contests) {
    contests.run([](Table& table) { add_row(table, "put"); });
    contests.run([](Table& table) { add_row(table, "get"); });
  });
  CHECK(left.code == EXIT_SUCCESS);
  CHECK(left.names() == std::vector<std::string>{"put", "get"});
  CHECK(left.errors.empty());
}

TEST_CASE("a contest that fails is told of, and those before and after it have their rows") {
  const Left left = left_by([](Contests& contests) {
    contests.run([](Table& table) { add_row(table, "put"); });
    contests.run([](Table& table) {
      add_row(table, "get");
      throw std::runtime_error("mpiexec -n 2 get\nfailed with code 3\nand its output");
    });
    contests.run([](Table& table) { add_row(table, "add"); });
  });
  CHECK(left.code == EXIT_FAILURE);
  CHECK(left.names() == std::vector<std::string>{"put", "get", "add"});
  CHECK_THAT(left.errors,
             Contains("bench_it: mpiexec -n 2 get\nfailed with code 3\nand its output\n"));
  CHECK(left.notes == std::vector<std::string>{"failed: mpiexec -n 2 get: failed with code 3"});
}

TEST_CASE("the rows of a contest are kept before the next one begins") {
  int found = 0;
  const Left left = left_by([&](Contests& contests) {
    contests.run([](Table& table) { add_row(table, "put"); });
    contests.run([&](Table& table) {
      std::ifstream file(std::getenv("DASH_BENCH_ROWS"));
      for (std::string line; std::getline(file, line); ++found)
        CHECK(json::parse(line)["what"] == "put");
      add_row(table, "get");
    });
  });
  CHECK(found == 1);
  CHECK(left.names() == std::vector<std::string>{"put", "get"});
}

TEST_CASE("what fails between contests leaves the rows that there are") {
  const Left left = left_by([](Contests& contests) {
    contests.run([](Table& table) { add_row(table, "put"); });
    throw std::runtime_error("no effort");
  });
  CHECK(left.code == EXIT_FAILURE);
  CHECK(left.names() == std::vector<std::string>{"put"});
  CHECK(left.notes == std::vector<std::string>{"failed: no effort"});
}

TEST_CASE("a kernel that fails on a node is measured between nodes all the same") {
  const Programs programs;
  const std::string report =
      "echo '{\"units\": 2, \"valid\": true, \"samples\": [{\"total_s\": 1}]}' >\"$report\"";
  const std::string kernel =
      programs.add("kernel", "[ \"$MPIR_CVAR_NOLOCAL\" = 1 ] || exit 3\n" + report);
  programs.add("kernel_mpi", report);
  const Left left = left_by([&](Contests& contests) {
    add_kernel_rows(contests, "kernel", "small", kernel, {}, false, {"rma"});
  });
  CHECK(left.code == EXIT_FAILURE);
  CHECK(left.names() == std::vector<std::string>{"kernel, nolocal"});
  CHECK_THAT(left.errors, Contains(" kernel\nfailed with code 3"));
}

TEST_CASE("scaling rows have 1 to 8 units, and a two-sided twin while each unit has a core") {
  const Programs programs;
  const std::string kernel = programs.add_timed("kernel", R"({"total_s": 1})");
  programs.add_timed("kernel_mpi", R"({"total_s": 2})");
  const auto measure = [&](Contests& contests) {
    add_scaling_rows(contests, "kernel, small", kernel, {});
  };
  const Left left = left_by(measure);
  CHECK(left.code == EXIT_SUCCESS);
  std::vector<std::string> found;
  for (const json& row : left.rows) {
    CHECK(row["what"] == "kernel, small");
    CHECK(row["ratio"]["median"] == 0.5);
    CHECK(row["met"].is_null());
    found.push_back(row["size"].get<std::string>() + " " + row["twin"]["name"].get<std::string>());
  }
  std::vector<std::string> expected;
  for (const int units : {1, 2, 4, 8}) {
    const std::string size = units == 1 ? "1 unit" : std::to_string(units) + " units";
    expected.push_back(size + " shared");
    if (units <= dash::core::this_thread_affinity().count())
      expected.push_back(size + " two-sided");
  }
  CHECK(found == expected);

  ::setenv("DASH_BENCH_EFFORT", "quick", 1);
  CHECK(left_by(measure).rows.empty());
  ::unsetenv("DASH_BENCH_EFFORT");
}

}  // namespace
