// Repeats one of the operations of docs/reference/small-operations.md, for profilers:
//
//     mpiexec -n 2 bin/hot_paths OPERATION [COUNT]      (--help: all arguments)
//     mpiexec -n 2 valgrind --tool=callgrind --collect-atstart=no --toggle-collect='repeat_operation*' ...
//
// Unit 0 executes the operation, with the last unit as its target; with a collective operation, all units do. It prints
// the time of one operation. Without arguments it prints the names of the operations.

#include <libdash.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Atomic.h"
#include "dash/Collectives.h"
#include "dash/Rpc.h"

namespace {

/// A function call for each repetition, so that profilers can separate the operation from the rest.
[[gnu::noinline]] void repeat_operation(long count, const std::function<void()>& operation) {
  for (long i = 0; i < count; ++i)
    operation();
}

struct Operation {
  const char* name;
  bool is_collective;
  /// Whether the other units wait in MPI, so that they serve operations of MPI.
  bool is_of_mpi;
  std::function<void()> run;
};

void check(dart_ret_t code) {
  if (code != DART_OK) throw std::runtime_error("an operation has failed");
}

/// Memory of the operations, and all of them.
class Operations {
 public:
  Operations() : _array(_units), _counters(_units) {
    _array.local[0] = 0;
    MPI_Win_allocate(sizeof(double), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &_memory, &_window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, _window);
    dash::barrier();
  }
  ~Operations() {
    MPI_Win_unlock_all(_window);
    MPI_Win_free(&_window);
  }
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;

  std::vector<Operation> all() {
    const dart_gptr_t target = (_array.begin() + (_units - 1)).dart_gptr();
    const int unit = _units - 1;
    return {
        {"put", false, false,
         [this, target] {
           check(dart_put_blocking(target, &_value, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE));
         }},
        {"get", false, false,
         [this, target] {
           check(dart_get_blocking(&_value, target, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE));
         }},
        {"put_handle", false, false,
         [this, target] {
           dart_handle_t handle = DART_HANDLE_NULL;
           check(dart_put_handle(target, &_value, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE, &handle));
           check(dart_wait(&handle));
         }},
        {"get_handle", false, false,
         [this, target] {
           dart_handle_t handle = DART_HANDLE_NULL;
           check(dart_get_handle(&_value, target, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE, &handle));
           check(dart_wait(&handle));
         }},
        {"copy_async", false, false,
         [this] {
           dash::copy_async(_array.begin() + (_units - 1), _array.begin() + _units, &_value).wait();
         }},
        {"fetch_add", false, false, [this] { _counters[_units - 1].fetch_add(1); }},
        {"rpc", false, false,
         [unit] {
           dash::rpc(
               unit, [](int n) { return n + 1; }, 1)
               .get();
         }},
        {"am", false, false,
         [unit] {
           dash::am(
               unit, [](int n) { return n + 1; }, 1)
               .get();
         }},
        {"task", false, false, [] { dash::async([] {}).wait(); }},
        {"barrier_async", true, false, [] { dash::barrier_async().wait(); }},
        {"allreduce_async", true, false,
         [] { dash::allreduce_async(1.0, dash::plus<double>()).wait(); }},
        {"team", true, false,
         [] {
           dart_team_t team = DART_TEAM_NULL;
           check(dart_team_clone(DART_TEAM_ALL, &team));
           check(dart_team_destroy(&team));
         }},
        {"mpi_put", false, true,
         [this, unit] {
           MPI_Put(&_value, 1, MPI_DOUBLE, unit, 0, 1, MPI_DOUBLE, _window);
           MPI_Win_flush(unit, _window);
         }},
        {"mpi_get", false, true,
         [this, unit] {
           MPI_Get(&_value, 1, MPI_DOUBLE, unit, 0, 1, MPI_DOUBLE, _window);
           MPI_Win_flush(unit, _window);
         }},
        {"mpi_fetch_and_op", false, true,
         [this, unit] {
           double old = 0;
           MPI_Fetch_and_op(&_value, &old, MPI_DOUBLE, unit, 0, MPI_SUM, _window);
           MPI_Win_flush(unit, _window);
         }},
        {"mpi_ibarrier", true, true,
         [] {
           MPI_Request request = MPI_REQUEST_NULL;
           MPI_Ibarrier(MPI_COMM_WORLD, &request);
           MPI_Wait(&request, MPI_STATUS_IGNORE);
         }},
        {"mpi_iallreduce", true, true,
         [this] {
           MPI_Request request = MPI_REQUEST_NULL;
           double sum = 0;
           MPI_Iallreduce(&_value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
           MPI_Wait(&request, MPI_STATUS_IGNORE);
         }},
        {"mpi_comm_dup", true, true,
         [] {
           MPI_Comm comm = MPI_COMM_NULL;
           MPI_Comm_dup(MPI_COMM_WORLD, &comm);
           MPI_Comm_free(&comm);
         }},
    };
  }

 private:
  const int _units = static_cast<int>(dash::size());
  double _value = 0;
  dash::Array<double> _array;
  dash::Array<dash::Atomic<std::int64_t>> _counters;
  void* _memory = nullptr;
  MPI_Win _window = MPI_WIN_NULL;
};

void measure(const Operation& operation, long count) {
  dash::barrier();
  const auto begin = std::chrono::steady_clock::now();
  if (operation.is_collective || dash::myid() == 0) repeat_operation(count, operation.run);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  if (operation.is_of_mpi) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    dash::barrier();
  }
  if (dash::myid() == 0)
    std::printf("%s: %.1f ns\n", operation.name, time.count() / static_cast<double>(count));
}

}  // namespace

int main(int argc, char** argv) {
  std::string name;
  long count = 100'000;
  CLI::App app("Repeats an operation and prints its time");
  app.add_option("operation", name, "its name, or 'all'; without it, the program prints all names");
  app.add_option("count", count, "number of repetitions")
      ->check(CLI::Range(1L, 1'000'000'000L))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  dash::init(&argc, &argv);
  bool is_known = name.empty() || name == "all";
  {
    Operations operations;
    for (const Operation& operation : operations.all()) {
      if (operation.name == name || name == "all") {
        is_known = true;
        measure(operation, count);
      } else if (name.empty() && dash::myid() == 0) {
        std::puts(operation.name);
      }
    }
  }
  if (!is_known && dash::myid() == 0) {
    std::fprintf(stderr,
                 "hot_paths: there is no operation '%s'; without arguments, it prints all names\n",
                 name.c_str());
  }
  dash::finalize();
  return is_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
