#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "base/Processes.h"
#include "base/RemoteAddress.h"
#include "launch/Heap.h"

namespace dash::dart {

class HeapWindow;

/// The result of a creation of a window that can fail.
template <class Window>
struct Created {
  /// Null on all processes if the creation has failed on one.
  Window window;
  /// Whether MPI may have registered the memory, on this or on other processes.
  bool may_be_registered;
};
using CreatedWindow = Created<MPI_Win>;
using CreatedHeapWindow = Created<std::unique_ptr<HeapWindow>>;

/// A window of MPI over a range of every unit's heap, in one passive epoch. The process that serves the heap
/// exposes the memory.
///
/// A network may register the range and pin its pages, so these must not be returned to the system
/// while the window exists (Heap::pin).
class HeapWindow {
 public:
  /// Creates a window over [begin, end) of the heaps. MPI can fail to do so, usually because
  /// registering the memory exceeds the limit of locked memory.
  /// \returns no window on all units if it fails on one, after a warning of each unit on which it fails. If MPI leaves
  ///          the other units waiting, the job ends with an error
  /// \param processes  of the session; lives longer than the window
  /// \collective over all processes  \blocks inside MPI
  static CreatedHeapWindow create(const Heap& heap, const Processes& processes, std::uint64_t begin,
                                  std::uint64_t end);
  /// \collective over all processes  \blocks inside MPI
  ~HeapWindow();
  HeapWindow(const HeapWindow&) = delete;
  HeapWindow& operator=(const HeapWindow&) = delete;

  MPI_Win handle() const noexcept { return _window; }
  /// The range as offsets in the heaps.
  std::uint64_t begin() const noexcept { return _begin; }
  std::uint64_t end() const noexcept { return _end; }
  /// Rank of the process that exposes the heap of a unit, and displacement of an offset of the heap in its
  /// memory: the ranges of the units that it serves follow each other.
  int rank_of(int unit) const noexcept { return _processes.server(unit); }
  std::uint64_t displacement(int unit, std::uint64_t offset) const noexcept {
    const auto index =
        static_cast<std::uint64_t>(_processes.index_at_server[static_cast<std::size_t>(unit)]);
    return index * (_end - _begin) + offset - _begin;
  }

 private:
  HeapWindow(MPI_Win window, const Processes& processes, std::uint64_t begin,
             std::uint64_t end) noexcept
      : _window(window), _processes(processes), _begin(begin), _end(end) {}

  MPI_Win _window;
  const Processes& _processes;
  std::uint64_t _begin;
  std::uint64_t _end;
};

/// Creates a window over memory of the caller, which may be none, and begins its epoch.
/// \param unit_nbytes  size of the memory of each unit, which a progress process may expose for it
/// \returns no window on all processes if it fails on one, after a warning of each process on which it
///          fails. If MPI leaves the other processes waiting, the job ends with an error
/// \collective over all processes  \blocks inside MPI
CreatedWindow create_window(const Processes& processes, void* memory, std::uint64_t nbytes,
                            std::uint64_t unit_nbytes);

/// Address of an offset in the heap of a unit.
/// \param window  contains the offset; null for memory in no window
inline RemoteAddress heap_address(const HeapWindow* window, std::int32_t unit,
                                  std::uint64_t offset) noexcept {
  RemoteAddress remote;
  remote.unit = unit;
  remote.location = offset;
  if (window != nullptr) {
    remote.window = window->handle();
    remote.rank = window->rank_of(unit);
    remote.displacement = window->displacement(unit, offset);
  }
  return remote;
}

}  // namespace dash::dart
