#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "base/RemoteAddress.h"
#include "launch/Heap.h"

namespace dash::dart {

/// A window of MPI over a range of every unit's heap, in one passive epoch.
///
/// A network may register the range and pin its pages, so these must not be returned to the system
/// while the window exists (Heap::pin).
class HeapWindow {
 public:
  /// Creates a window over [begin, end) of the heaps. MPI can fail to do so, usually because
  /// registering the memory exceeds the limit of locked memory.
  /// \returns null on all units if it fails on one, after a warning of each unit on which it fails
  /// \collective over the communicator  \blocks inside MPI
  static std::unique_ptr<HeapWindow> create(const Heap& heap, MPI_Comm world, std::uint64_t begin,
                                            std::uint64_t end);
  /// \collective over the communicator  \blocks inside MPI
  ~HeapWindow();
  HeapWindow(const HeapWindow&) = delete;
  HeapWindow& operator=(const HeapWindow&) = delete;

  MPI_Win handle() const noexcept { return _window; }
  /// The range as offsets in the heaps. The window's displacements count bytes from begin().
  std::uint64_t begin() const noexcept { return _begin; }
  std::uint64_t end() const noexcept { return _end; }

 private:
  HeapWindow(MPI_Win window, std::uint64_t begin, std::uint64_t end) noexcept
      : _window(window), _begin(begin), _end(end) {}

  MPI_Win _window;
  std::uint64_t _begin;
  std::uint64_t _end;
};

/// Address of an offset in the heap of a unit.
/// \param window  contains the offset; null for memory in no window
inline RemoteAddress heap_address(const HeapWindow* window, std::int32_t unit,
                                  std::uint64_t offset) noexcept {
  RemoteAddress remote;
  remote.unit = unit;
  remote.rank = unit;
  remote.location = offset;
  if (window != nullptr) {
    remote.window = window->handle();
    remote.displacement = offset - window->begin();
  }
  return remote;
}

}  // namespace dash::dart
