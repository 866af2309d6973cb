#pragma once

/// \file
/// What the measuring programs share of a running library: start and end, the units' parts of a
/// measurement, and memory that others reach, through the library or through MPI.

#include <mpi.h>

#include <cstddef>
#include <functional>

#include "dash/dart/if/dart.h"

namespace dash::bench {

/// \throws std::runtime_error with the library's message unless the code is DART_OK
void check(dart_ret_t code);

/// The library from dash::init to dash::finalize.
class World {
 public:
  World(int* argc, char*** argv);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int unit() const noexcept { return _unit; }
  int units() const noexcept { return _units; }
  bool leads() const noexcept { return _unit == 0; }
  bool on_one_node() const noexcept { return _on_one_node; }
  /// More units than processors of the host.
  bool is_crowded() const noexcept { return _is_crowded; }

 private:
  int _unit = 0;
  int _units = 0;
  bool _on_one_node = true;
  bool _is_crowded = false;
};

/// Where the other units are while unit 0 measures.
enum class Peers {
  /// In the library's barrier.
  asleep,
  /// In MPI_Barrier, which polls: what raw MPI needs of its target.
  in_mpi
};

/// Runs `measure` on unit 0 while the others wait for it to end.
/// \returns what it returns; 0 on the other units
/// \collective over all units
double alone(Peers peers, const std::function<double()>& measure);

/// Unit 0's value, on all units. \collective over all units
long from_first_unit(long value);

/// Global memory: a part of each unit, reached through the library.
/// \collective over all units, begin and end
class GlobalMemory {
 public:
  explicit GlobalMemory(std::size_t nbytes_each);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  dart_gptr_t at(int unit) const noexcept;
  /// Of the unit's part in this process, or nullptr if it is on another node.
  char* address(int unit) const noexcept;

 private:
  dart_gptr_t _begin = DART_GPTR_NULL;
  std::size_t _nbytes;
};

/// A window of MPI over memory of each unit, in one epoch for as long as it lives.
///
/// It has memory of its own. MPICH 4.0 with UCX 1.13 takes the begin of the *registered* region for
/// the begin of a window, so that a window within the memory of another one, as of the library's
/// heap, is accessed at the wrong place (MPICH pull request 6140).
/// \collective over all units, begin and end
/// \throws std::runtime_error if the window does not begin where it should
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

/// Runs `body` between start and end of the library; an error ends all units with its text.
/// \returns the exit code of the program
int run_program(int argc, char** argv, const std::function<void(const World&)>& body);

}  // namespace dash::bench
