// dash-test: parallel main=own ranks=quick units=1,2,3,4 layouts=node,cliques,nolocal modes=auto,thread,poll

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
#include "dash/dart/Access.h"
#include "dash/dart/if/dart.h"

namespace {

int failures = 0;
int me = 0;
int num_units = 0;

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

/// The first unit puts data from its global memory into that of the last one. Between nodes, its progress process
/// performs the put, if there is one.
void delegate() {
  constexpr std::size_t nbytes = 64 << 10;
  dart_gptr_t memory = DART_GPTR_NULL;
  expect(dart_team_memalloc_aligned(DART_TEAM_ALL, 2 * nbytes, DART_TYPE_BYTE, &memory) == DART_OK,
         "memory");
  dart_gptr_t dest = memory;
  dest.unitid = num_units - 1;
  dest.addr_or_offs.offset += nbytes;
  if (me == 0 && dash::dart::on_node_address(dest, nbytes) == nullptr) {
    void* own = nullptr;
    expect(dart_gptr_getaddr(memory, &own) == DART_OK, "address");
    dart_handle_t handle = DART_HANDLE_NULL;
    expect(dart_put_handle(dest, own, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle) == DART_OK,
           "put");
    expect(dart_wait(&handle) == DART_OK, "wait");
  }
  expect(dart_team_memfree(memory) == DART_OK, "free");
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
  delegate();
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

/// The part about progress processes, one for each node.
void check_servers(const std::string& text) {
  const char* const mode = std::getenv("DART_PROGRESS");
  if (mode == nullptr || std::string(mode) != "ranks") {
    expect(text.find("progress process") == std::string::npos, "no progress process in:\n" + text);
    return;
  }
  const bool one_node = text.find("on 1 node,") != std::string::npos;
  const std::string heading = one_node ? "\n1 progress process\n" : "\n2 progress processes\n";
  const std::size_t begin = text.find(heading);
  expect(begin != std::string::npos, heading + " in:\n" + text);
  if (begin == std::string::npos || one_node) return;
  const std::vector<unsigned long> polls = row(text.substr(begin), "polls");
  expect(polls.size() == 3 && polls[0] == polls[1] + polls[2],
         "polls of progress processes in:\n" + text);
  const std::vector<unsigned long> puts = row(text.substr(begin), "put: MPI RMA");
  const std::vector<unsigned long> two_sided = row(text.substr(begin), "put: MPI two-sided");
  expect(puts.size() + two_sided.size() == 3, "the delegated put in:\n" + text);
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
  num_units = static_cast<int>(units);
  expect(dart_exit() == DART_OK, "the first exit");

  expect(run_session(-1).empty(), "no report without DART_STATS");
  for (const int requesting_unit : {0, static_cast<int>(units) - 1}) {
    const std::string text = run_session(requesting_unit);
    if (me == 0) {
      check_report(text, units);
      check_servers(text);
    } else {
      expect(text.empty(), "only unit 0 reports: " + text);
    }
  }
  expect(run_session(-1).empty(), "no report again");
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
