// dash-test: parallel main=own ranks=full units=1,2,3,4 layouts=node,cliques,nolocal modes=auto,thread,poll

// DART_STATS: unit 0 prints a table of all units at exit if any unit has set it, else nothing. The test does
// not use Catch2, whose runner would initialize the runtime.

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "core/diagnostics/StderrCapture.h"
#include "dash/core/Statistics.h"
#include "dash/dart/if/dart.h"

namespace {

int failures = 0;
int me = 0;

void expect(bool good, const std::string& what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "failed: %s (%s)\n", what.c_str(), dart_last_error());
}

/// The numbers of the first line that begins with a name: sum, minimum, maximum. Empty if there is no such
/// line.
std::vector<unsigned long> row(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(name, 0) != 0) continue;
    std::erase(line, ',');
    std::istringstream words(line.substr(name.size()));
    std::vector<unsigned long> numbers;
    for (unsigned long number = 0; words >> number;)
      numbers.push_back(number);
    return numbers;
  }
  return {};
}

/// Unit i makes i + 1 puts of 8 bytes to itself; then all units call a barrier.
void communicate() {
  dart_gptr_t gptr = DART_GPTR_NULL;
  expect(dart_team_memalloc_aligned(DART_TEAM_ALL, 8, DART_TYPE_BYTE, &gptr) == DART_OK, "memory");
  gptr.unitid = me;
  for (int i = 0; i <= me; ++i) {
    const long value = i;
    expect(dart_put_blocking(gptr, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK, "put");
  }
  expect(dart_barrier(DART_TEAM_ALL) == DART_OK, "barrier");
}

/// Runs the runtime once with DART_STATS set on one unit, or on none (-1).
/// \returns the text written at exit
std::string run_session(int requesting_unit) {
  setenv("DART_STATS", me == requesting_unit ? "1" : "0", 1);
  expect(dart_init(nullptr, nullptr) == DART_OK, "init");
  expect(dash::core::counting() == (requesting_unit >= 0), "counting");
  communicate();
  StderrCapture capture;
  const dart_ret_t ret = dart_exit();
  const std::string text = capture.text();
  expect(ret == DART_OK, "exit");
  expect(!dash::core::counting(), "counting afterwards");
  return text;
}

void check_report(const std::string& text, unsigned long units) {
  expect(text.find("statistics of " + std::to_string(units) + " unit") != std::string::npos,
         "a heading in:\n" + text);
  const std::vector<unsigned long> puts = row(text, "put: memory");
  expect(puts == std::vector<unsigned long>{units * (units + 1) / 2, 1, units},
         "puts in:\n" + text);
  const std::vector<unsigned long> bytes = row(text.substr(text.find("put: memory")), "  bytes");
  expect(bytes == std::vector<unsigned long>{4 * units * (units + 1), 8, 8 * units},
         "bytes in:\n" + text);
  const bool one_node = text.find("on 1 node,") != std::string::npos;
  const std::string barrier = one_node ? "barrier: memory" : "barrier: MPI two-sided";
  const std::vector<unsigned long> barriers = row(text, barrier);
  expect(barriers.size() == 3 && barriers[0] >= units && barriers[1] == barriers[2],
         "barriers in:\n" + text);
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  // With progress processes, the ranks in MPI_COMM_WORLD are not the numbers of the units.
  std::size_t units = 0;
  dart_global_unit_t unit{};
  setenv("DART_STATS", "0", 1);
  expect(dart_init(&argc, &argv) == DART_OK, "the first init");
  dart_myid(&unit);
  dart_size(&units);
  me = unit.id;
  expect(dart_exit() == DART_OK, "the first exit");

  expect(run_session(-1).empty(), "no report without DART_STATS");
  for (const int requesting_unit : {0, static_cast<int>(units) - 1}) {
    const std::string text = run_session(requesting_unit);
    if (me == 0) {
      check_report(text, units);
    } else {
      expect(text.empty(), "only unit 0 reports: " + text);
    }
  }
  expect(run_session(-1).empty(), "no report again");
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
