#pragma once

/// \file
/// Shared parts of the benchmarks that need a running library: initialization, measurements on one
/// unit while the others wait, and memory for remote access through the library or through MPI.

#include <mpi.h>

#include <cstddef>
#include <functional>

#include "dash/dart/if/dart.h"

namespace dash::bench {

/// \throws std::runtime_error with the library's message if the code is not DART_OK
void check(dart_ret_t code);

/// Initializes the library; the destructor finalizes it.
class World {
 public:
  World(int* argc, char*** argv);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int unit() const noexcept { return _unit; }
  int units() const noexcept { return _units; }
  bool is_first_unit() const noexcept { return _unit == 0; }
  bool on_one_node() const noexcept { return _on_one_node; }
  /// Whether there are more units than processors.
  bool is_oversubscribed() const noexcept { return _is_oversubscribed; }

 private:
  int _unit = 0;
  int _units = 0;
  bool _on_one_node = true;
  bool _is_oversubscribed = false;
};

/// How the other units wait while unit 0 measures.
enum class PeerWait {
  /// In the library's barrier, where they sleep.
  dart_barrier,
  /// In MPI_Barrier, which polls: plain MPI one-sided operations need a target that makes progress.
  mpi_barrier
};

/// Calls `measure` on unit 0 while the other units wait for it.
/// \returns its result; 0 on the other units
/// \collective over all units
double measure_on_first_unit(PeerWait peer_wait, const std::function<double()>& measure);

/// \returns unit 0's value, on all units
/// \collective over all units
long broadcast_from_first_unit(long value);

/// Global memory: a block of each unit, accessed through the library.
/// \collective over all units, construction and destruction
class GlobalMemory {
 public:
  explicit GlobalMemory(std::size_t nbytes_each);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  dart_gptr_t at(int unit) const noexcept;
  /// \returns the address of the unit's block in this process, or nullptr if the unit is on another node
  char* address(int unit) const noexcept;

 private:
  dart_gptr_t _begin = DART_GPTR_NULL;
  std::size_t _nbytes;
};

/// An MPI window over memory of each unit, in one access epoch (MPI_Win_lock_all) for its whole lifetime.
///
/// The window owns its memory. MPICH 4.0 with UCX 1.13 takes the start of the *registered* region for the
/// start of a window, so that a window inside of other registered memory, such as the library's heap, is
/// accessed at a wrong address (MPICH pull request 6140).
/// \collective over all units, construction and destruction
/// \throws std::runtime_error if MPI reports another start address of the window
class MpiWindow {
 public:
  explicit MpiWindow(std::size_t nbytes_each);
  ~MpiWindow();
  MpiWindow(const MpiWindow&) = delete;
  MpiWindow& operator=(const MpiWindow&) = delete;

  MPI_Win get() const noexcept { return _window; }

 private:
  void* _memory = nullptr;
  std::size_t _nbytes;
  MPI_Win _window = MPI_WIN_NULL;
};

/// Initializes the library, calls `body` and finalizes the library. An exception aborts all units after its
/// message has been printed.
/// \returns the exit code of the program
int run_program(int argc, char** argv, const std::function<void(const World&)>& body);

}  // namespace dash::bench
