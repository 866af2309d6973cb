#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dash/Tasks.h"
#include "dash/async/TaskGraph.h"
#include "tasks/GlobalMemoryRange.h"

namespace dash::tasks::internal {

/// The copies that the tasks of a phase share. A copy can be shared until a task writes the buffer
/// or a task of this unit writes the source. Writes by other units in the same phase precede or
/// follow all tasks of this unit, so they do not matter here.
/// \threads thread-safe
class SharedCopies {
 public:
  /// Whether a new task may use the existing copy in the same buffer.
  bool is_reusable(const CopyIn& copy, exec::TaskGraph& graph);

  /// Call this before you create the task of a copy. \returns the value to pass to add()
  std::uint64_t begin_copy() noexcept;
  /// \param node  the task that copies; a reference to it is retained
  void add(const CopyIn& copy, std::uint64_t writes_before, exec::GraphNode& node);

  /// Whether copies exist, so that writes have to be recorded.
  /// The flag publishes no data: the mutex guards the members.
  bool is_active() const noexcept { return _is_active.load(std::memory_order_acquire); }
  /// Records that a task that writes the range has been created.
  /// \cost logarithmic in the number of ranges that were written in the phase
  void record_write(const GlobalMemoryRange& range);

  /// Forgets all copies and writes. Called at the end of a phase.
  void clear() noexcept;

 private:
  struct Copy {
    std::vector<GlobalMemoryRange> source;
    std::uint64_t writes_before;
    exec::GraphNode* node;
  };
  /// A range whose bytes have the same last write. Its key in WrittenRanges is its start.
  struct WrittenRange {
    std::uintptr_t end;
    std::uint64_t write;  // sequence number of the write
  };
  using WrittenRanges = std::map<std::uintptr_t, WrittenRange>;

  static void split(WrittenRanges& written, std::uintptr_t at);
  bool was_written_since(const GlobalMemoryRange& range, std::uint64_t writes_before) const;

  std::atomic<bool> _is_active{false};
  std::mutex _mutex;                              // guards the members below
  std::unordered_map<const void*, Copy> _copies;  // by buffer
  std::uint64_t _num_writes = 0;
  std::map<std::pair<int, std::int32_t>, WrittenRanges> _written;  // by owner and segment
};

}  // namespace dash::tasks::internal
