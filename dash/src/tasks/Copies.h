#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tasks/GlobalMemoryRange.h"
#include "dash/Tasks.h"
#include "dash/async/TaskGraph.h"

namespace dash::tasks::internal {

/// The copies that the tasks of a phase may share: until somebody writes the buffer, or this unit
/// makes a task that writes the source. What other units do to the source in the phase is before or
/// after all that this one does.
/// \threads any
class Copies {
 public:
  /// Whether there is one that a task that is made now may share.
  bool has(const CopyIn& copy, exec::TaskGraph& graph);

  /// Before the task of a copy is made. \returns what add() wants to know
  std::uint64_t begin() noexcept;
  /// \param node  the task, of which a reference is kept
  void add(const CopyIn& copy, std::uint64_t begun, exec::GraphNode& node);

  /// Whether there are any, so that somebody wants to know of writes.
  bool any() const noexcept { return _any.load(std::memory_order_acquire); }
  /// A task is made that writes there.
  /// \cost logarithmic in the number of places that were written in the phase
  void is_written(const GlobalMemoryRange& place);

  /// At the end of the phase.
  void forget() noexcept;

 private:
  struct Copy {
    std::vector<GlobalMemoryRange> source;
    std::uint64_t begun;
    exec::GraphNode* node;
  };
  /// A part whose last write is the same.
  struct Part {
    std::uintptr_t end;
    std::uint64_t write;
  };
  using Parts = std::map<std::uintptr_t, Part>;

  static void split(Parts& parts, std::uintptr_t at);
  bool is_written_since(const GlobalMemoryRange& place, std::uint64_t begun) const;

  std::atomic<bool> _any{false};
  std::mutex _mutex;                                       // guards what follows
  std::unordered_map<const void*, Copy> _copies;           // by buffer
  std::uint64_t _writes = 0;                               // so far
  std::map<std::pair<int, std::int32_t>, Parts> _written;  // by owner and segment
};

}  // namespace dash::tasks::internal
