// Records a program and summarizes it: the summary contains all operations with bytes and peers, and the times add up.
// Without Catch2, since its runner would initialize the runtime before DART_TRACE is set.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "Summary.h"
#include "dash/Async.h"
#include "dash/dart/if/dart.h"

namespace {

using namespace dash::trace;

constexpr int rounds = 5;
constexpr std::size_t nbytes = std::size_t{1} << 20;

int failures = 0;

void expect(bool holds, const std::string& condition) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "not true: %s (%s)\n", condition.c_str(), dart_last_error());
}

/// Computation between the start of a transfer and the wait for it.
double compute(std::vector<double>& values) {
  double sum = 0;
  for (double& value : values)
    sum += value = value * 0.5 + 1;
  return sum;
}

void transfer(dart_gptr_t next) {
  std::vector<char> buffer(nbytes);
  std::vector<double> values(10'000, 1.0);
  for (int i = 0; i < rounds; ++i) {
    dart_handle_t handle = DART_HANDLE_NULL;
    expect(dart_get_handle(buffer.data(), next, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle) ==
               DART_OK,
           "a get");
    expect(compute(values) > 0, "a sum");
    expect(dart_wait(&handle) == DART_OK, "a wait");
  }
  expect(buffer[5] == 0, "memory that is 0");
}

void add_up(dart_gptr_t next) {
  const int one = 1;
  int old = 0;
  expect(dart_fetch_and_op(next, &one, &old, DART_TYPE_INT, DART_OP_SUM) == DART_OK, "an atomic");
  expect(dart_flush(next) == DART_OK, "a flush");
}

/// Tasks that wait, for which the runtime suspends them.
void run_tasks(dart_gptr_t next) {
  std::vector<dash::Future<int>> tasks;
  for (int i = 0; i < 8; ++i) {
    tasks.push_back(dash::async([next] {
      std::vector<char> buffer(nbytes);
      dart_handle_t handle = DART_HANDLE_NULL;
      dart_get_handle(buffer.data(), next, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle);
      dart_wait(&handle);
      return static_cast<int>(buffer[7]);
    }));
  }
  for (dash::Future<int>& task : tasks)
    expect(task.get() == 0, "a task's get");
}

const OperationSummary* find(const UnitSummary& unit, const std::string& name) {
  for (const OperationSummary& operation : unit.operations) {
    if (operation.name == name) return &operation;
  }
  return nullptr;
}

void check_that_spans_nest(const Unit& unit) {
  for (const Thread& thread : unit.threads) {
    std::vector<Time> ends;
    for (const Span& span : thread.spans) {
      while (!ends.empty() && ends.back() <= span.time.begin)
        ends.pop_back();
      expect(ends.empty() || span.time.end <= ends.back(), "spans of a thread nest");
      ends.push_back(span.time.end);
    }
  }
}

void check_peers(const Timeline& timeline, const Unit& unit) {
  const int next = (unit.id + 1) % static_cast<int>(timeline.units.size());
  for (const Flight& flight : unit.flights) {
    if (timeline.names[flight.name] == "get" && flight.time.begin > 0)
      expect(flight.peer == next, "the peer of a get");
  }
}

void check_times(const UnitSummary& unit) {
  expect(unit.time > 0, "a time above 0");
  expect(unit.computing + unit.waiting + unit.in_calls == unit.time, "the parts of the time");
  expect(unit.computing >= 0 && unit.waiting >= 0 && unit.in_calls >= 0, "no part is negative");
  expect(unit.transfers.in_flight > 0, "transfers in flight");
  expect(unit.transfers.hidden >= 0 && unit.transfers.exposed >= 0, "no overlap is negative");
  expect(unit.transfers.exposed_waits <= unit.transfers.exposed,
         "exposed waits are a part of the exposed time");
  const double share = unit.transfers.share().value_or(-1);
  expect(share >= 0 && share <= 1, "a share between 0 and 1");
}

void check_timeline(const std::string& file, int units, bool one_node) {
  const Timeline timeline = read_timeline(file);
  const Summary summary = summarize(timeline, select(timeline, {}));
  expect(summary.warnings.empty(), "no warnings");
  expect(static_cast<int>(summary.units.size()) == units, "all units");
  for (const Unit& unit : timeline.units) {
    check_that_spans_nest(unit);
    check_peers(timeline, unit);
  }
  for (const UnitSummary& unit : summary.units) {
    check_times(unit);
    const OperationSummary* const moved = find(unit, one_node || units == 1 ? "copy" : "get");
    expect(moved != nullptr && moved->count >= rounds + 8, "all transfers");
    if (moved != nullptr) expect(moved->nbytes >= (rounds + 8) * nbytes, "all bytes");
    const OperationSummary* const barrier = find(unit, "barrier");
    expect(barrier != nullptr && barrier->collective, "barriers");
    if (!one_node && units > 1)
      expect(find(unit, "fetch_and_op") != nullptr, "an atomic operation");
    expect(unit.tasks >= 8, "tasks");
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Units of one run have the same parent process, and so the same file.
  const std::string file = (std::filesystem::temp_directory_path() /
                            ("dash-recorded-" + std::to_string(getppid()) + ".json"))
                               .string();
  setenv("DART_TRACE", file.c_str(), 1);
  expect(dart_init(&argc, &argv) == DART_OK, "init");
  dart_global_unit_t unit;
  std::size_t units = 0;
  expect(dart_myid(&unit) == DART_OK && dart_size(&units) == DART_OK,
         "the unit and the number of units");
  dart_gptr_t next = DART_GPTR_NULL;
  expect(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &next) == DART_OK,
         "memory");
  next.unitid = static_cast<dart_unit_t>((static_cast<std::size_t>(unit.id) + 1) % units);
  transfer(next);
  run_tasks(next);
  expect(dart_barrier(DART_TEAM_ALL) == DART_OK, "a barrier");
  add_up(next);
  expect(dart_exit() == DART_OK, "exit");
  if (unit.id == 0) {
    try {
      const bool one_node =
          std::getenv("MPIR_CVAR_NOLOCAL") == nullptr && std::getenv("DART_NODE_UNITS") == nullptr;
      check_timeline(file, static_cast<int>(units), one_node);
    } catch (const std::exception& error) {
      expect(false, error.what());
    }
    std::filesystem::remove(file);
  }
  return failures == 0 ? 0 : 1;
}
