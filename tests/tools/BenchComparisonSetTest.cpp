// dash-test: serial

// Comparisons of a benchmark program, some of which fail.

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "BenchPrograms.h"
#include "core/diagnostics/StderrCapture.h"
#include "dash/core/Topology.h"
#include "support/Catch.h"
#include "support/ComparisonSet.h"
#include "support/KernelRows.h"

namespace {

using namespace dash::bench;
using Catch::Matchers::ContainsSubstring;
using dash::test::Programs;
using nlohmann::json;

/// The results of a program that runs comparisons.
struct ProgramResults {
  int code = 0;
  std::string errors;
  std::vector<json> rows;
  std::vector<std::string> notes;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const json& row : rows)
      all.push_back(row["name"].get<std::string>());
    return all;
  }
};

ProgramResults results_of(const std::function<void(ComparisonSet&)>& measure) {
  const Programs folder;
  ::setenv("DASH_BENCH_ROWS", folder.path("rows").c_str(), 1);
  ProgramResults results;
  StderrCapture errors;
  results.code = run_comparisons("bench_it", measure);
  results.errors = errors.text();
  ::unsetenv("DASH_BENCH_ROWS");
  std::ifstream file(folder.path("rows"));
  for (std::string line; std::getline(file, line);) {
    json each = json::parse(line);
    if (each.contains("note")) {
      results.notes.push_back(each["note"].get<std::string>());
    } else {
      results.rows.push_back(std::move(each));
    }
  }
  return results;
}

void add_row(Table& table, const std::string& name) {
  table.add({name, "", "", "", "", ""});
}

TEST_CASE("ComparisonSet: successful comparisons give rows and the exit code 0") {
  const ProgramResults results = results_of([](ComparisonSet& comparisons) {
    comparisons.run([](Table& table) { add_row(table, "put"); });
    comparisons.run([](Table& table) { add_row(table, "get"); });
  });
  CHECK(results.code == EXIT_SUCCESS);
  CHECK(results.names() == std::vector<std::string>{"put", "get"});
  CHECK(results.errors.empty());
}

TEST_CASE("ComparisonSet: a failed comparison is reported, and the others keep their rows") {
  const ProgramResults results = results_of([](ComparisonSet& comparisons) {
    comparisons.run([](Table& table) { add_row(table, "put"); });
    comparisons.run([](Table& table) {
      add_row(table, "get");
      throw std::runtime_error("mpiexec -n 2 get\nfailed with code 3\nand its output");
    });
    comparisons.run([](Table& table) { add_row(table, "add"); });
  });
  CHECK(results.code == EXIT_FAILURE);
  CHECK(results.names() == std::vector<std::string>{"put", "get", "add"});
  CHECK_THAT(results.errors,
             ContainsSubstring("bench_it: mpiexec -n 2 get\nfailed with code 3\nand its output\n"));
  CHECK(results.notes == std::vector<std::string>{"failed: mpiexec -n 2 get: failed with code 3"});
}

TEST_CASE("ComparisonSet: the rows of a comparison are written before the next one starts") {
  int found = 0;
  const ProgramResults results = results_of([&](ComparisonSet& comparisons) {
    comparisons.run([](Table& table) { add_row(table, "put"); });
    comparisons.run([&](Table& table) {
      std::ifstream file(std::getenv("DASH_BENCH_ROWS"));
      for (std::string line; std::getline(file, line); ++found)
        CHECK(json::parse(line)["name"] == "put");
      add_row(table, "get");
    });
  });
  CHECK(found == 1);
  CHECK(results.names() == std::vector<std::string>{"put", "get"});
}

TEST_CASE("ComparisonSet: an exception outside of the comparisons keeps the existing rows") {
  const ProgramResults results = results_of([](ComparisonSet& comparisons) {
    comparisons.run([](Table& table) { add_row(table, "put"); });
    throw std::runtime_error("no memory");
  });
  CHECK(results.code == EXIT_FAILURE);
  CHECK(results.names() == std::vector<std::string>{"put"});
  CHECK(results.notes == std::vector<std::string>{"failed: no memory"});
}

TEST_CASE("add_kernel_rows: a kernel that fails on one node is still measured between nodes") {
  const Programs programs;
  const std::string report =
      "echo '{\"units\": 2, \"valid\": true, \"samples\": [{\"total_s\": 1}]}' >\"$report\"";
  const std::string kernel =
      programs.add("kernel", "[ \"$MPIR_CVAR_NOLOCAL\" = 1 ] || exit 3\n" + report);
  programs.add("kernel_mpi", report);
  const ProgramResults results = results_of([&](ComparisonSet& comparisons) {
    add_kernel_rows(comparisons, "kernel", "small", kernel, {}, false, {"rma"});
  });
  CHECK(results.code == EXIT_FAILURE);
  CHECK(results.names() == std::vector<std::string>{"kernel, nolocal"});
  CHECK_THAT(results.errors, ContainsSubstring(" kernel\nfailed with code 3"));
}

TEST_CASE("add_scaling_rows: 1 to 8 units, with a two-sided baseline while each unit has a core") {
  const Programs programs;
  const std::string kernel = programs.add_timed("kernel", R"({"total_s": 1})");
  programs.add_timed("kernel_mpi", R"({"total_s": 2})");
  const auto measure = [&](ComparisonSet& comparisons) {
    add_scaling_rows(comparisons, "kernel, small", kernel, {});
  };
  const ProgramResults results = results_of(measure);
  CHECK(results.code == EXIT_SUCCESS);
  std::vector<std::string> found;
  for (const json& row : results.rows) {
    CHECK(row["name"] == "kernel, small");
    CHECK(row["ratio"]["median"] == 0.5);
    CHECK(row["met"].is_null());
    found.push_back(row["size"].get<std::string>() + " " +
                    row["baseline"]["name"].get<std::string>());
  }
  std::vector<std::string> expected;
  for (const int units : {1, 2, 4, 8}) {
    const std::string size = units == 1 ? "1 unit" : std::to_string(units) + " units";
    expected.push_back(size + " shared");
    if (units <= dash::core::this_thread_affinity().count())
      expected.push_back(size + " two-sided");
  }
  CHECK(found == expected);

  ::setenv("DASH_BENCH_SAMPLING", "quick", 1);
  CHECK(results_of(measure).rows.empty());
  ::unsetenv("DASH_BENCH_SAMPLING");
}

}  // namespace
