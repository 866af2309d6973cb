#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/core/Export.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// How a task uses memory. `out` and `inout` differ for the reader only: nothing is renamed.
enum class Access : std::uint8_t { in, out, inout };

/// Addresses from begin to before end.
struct MemoryRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  static MemoryRange of(const void* address, std::size_t nbytes) noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    return {begin, begin + nbytes};
  }
  bool operator==(const MemoryRange&) const = default;
  bool empty() const noexcept { return begin >= end; }
};

/// What a task does to a range.
struct MemoryUse {
  MemoryRange range;
  Access mode = Access::in;
};

/// What a graph orders: something that becomes ready once, and is finished later.
///
/// Reference counted: the graph holds one until it has finished, and more for as long as later
/// nodes may have to wait for it.
class DASH_API GraphNode {
 public:
  GraphNode() = default;
  GraphNode(const GraphNode&) = delete;
  GraphNode& operator=(const GraphNode&) = delete;

  void retain() noexcept { _references.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (_references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  virtual ~GraphNode() = default;
  /// All that it waited for has come. Called once, outside of the graph's locks; may wait.
  virtual void ready() noexcept = 0;

 private:
  friend class TaskGraph;
  bool finished() noexcept {
    std::lock_guard lock(_lock);
    return _finished;
  }

  std::atomic<std::uint32_t> _references{1};
  std::atomic<std::uint32_t> _pending{1};  // what it waits for; one until it is committed
  core::SpinLock _lock;                    // guards the two below
  bool _finished = false;
  std::vector<GraphNode*> _successors;
};

/// Orders tasks by the memory that they use, as if they ran one after the other as they were added:
/// who reads waits for the last writer, who writes for the readers since, overlap by overlap.
///
/// For each node: add(), enter(), commit(); finish() when it is done. A node that enters in several
/// steps has several places: two that do so at once may wait for each other.
/// \threads any; one at a time per node until it is committed
class DASH_API TaskGraph {
 public:
  TaskGraph() noexcept;
  TaskGraph(const TaskGraph&) = delete;
  TaskGraph& operator=(const TaskGraph&) = delete;
  /// \pre all nodes have finished
  ~TaskGraph();

  /// Keeps a reference until the node has finished.
  void add(GraphNode& node) noexcept;
  /// Gives the node its place: after all that has entered, for all ranges at once.
  /// \cost logarithmic in the number of ranges in use, and linear in those that it overlaps
  void enter(GraphNode& node, std::span<const MemoryUse> uses);
  /// Lets the node wait for n calls of meet() besides.
  static void expect(GraphNode& node, std::uint32_t n) noexcept;
  static void meet(GraphNode& node) noexcept;
  /// The node may become ready. It may be gone when this returns.
  static void commit(GraphNode& node) noexcept { meet(node); }
  /// Lets go who waits for the node.
  void finish(GraphNode& node) noexcept;

  /// Whether the node was the last to write all of the range, and nobody else since.
  bool is_last_writer(const GraphNode& node, const MemoryRange& range);

  /// Nodes that have not finished.
  std::size_t unfinished() const noexcept { return _unfinished.load(std::memory_order_acquire); }

  /// Changes a word, and wakes who sleeps on it, each time that all nodes have finished.
  /// \pre no node is unfinished   \param bell  null: no longer
  void ring_when_finished(SharedWord* bell) noexcept { _bell = bell; }

  /// From here on tasks that have not begun do not run, but finish.
  /// \param error  what wait() throws; the first one counts; null: nothing
  void cancel(std::exception_ptr error) noexcept;
  bool cancelled() const noexcept { return _cancelled.load(std::memory_order_acquire); }
  std::exception_ptr error() noexcept {
    std::lock_guard lock(_error_lock);
    return _error;
  }
  /// Ends the cancellation. \returns its error
  /// \pre all nodes have finished
  std::exception_ptr reset() noexcept;

  /// Returns when all nodes have finished, and ends a cancellation.
  /// \throws what a task has thrown; exception::RuntimeError in a task, which it would wait for
  void wait();

 private:
  /// Memory with the same last writer and the same readers since.
  struct Piece {
    std::uintptr_t end = 0;
    GraphNode* writer = nullptr;
    std::vector<GraphNode*> readers;
  };
  using Pieces = std::map<std::uintptr_t, Piece>;

  static void depend(GraphNode& node, GraphNode* on);
  static void forget(Piece& piece) noexcept;
  static void add_reader(Piece& piece, GraphNode& node);
  void split(std::uintptr_t at);
  void prune() noexcept;
  Pieces::iterator only(const MemoryRange& range);
  void read(GraphNode& node, const MemoryRange& range);
  void write(GraphNode& node, const MemoryRange& range);

  std::mutex _mutex;  // guards the two below
  Pieces _pieces;
  std::size_t _prune_at;
  std::atomic<std::size_t> _unfinished{0};
  SharedWord* _bell = nullptr;
  std::atomic<bool> _cancelled{false};
  core::SpinLock _error_lock;  // guards _error
  std::exception_ptr _error;
};

/// A task of a graph: runs as a job when it is ready, unless the graph was cancelled.
class DASH_API GraphTask : public GraphNode, public Job {
 public:
  GraphTask(TaskGraph& graph, Priority priority) noexcept;

  void run() noexcept final;
  /// Lets it do nothing in its place. \pre not committed
  void disable() noexcept { _disabled = true; }

 protected:
  ~GraphTask() override = default;
  /// The task itself. An exception cancels the graph.
  virtual void execute() = 0;
  /// Before others that wait for this task are let go; whether it ran or not.
  virtual void before_finish() noexcept {}

 private:
  void ready() noexcept final { submit_job(*this); }

  TaskGraph& _graph;
  bool _disabled = false;
};

/// Thrown by a task to end itself, with the graph cancelled: no error of the graph, but that of
/// futures that wait for the task.
class DASH_API TaskCancelled : public exception::Cancelled {
 public:
  explicit TaskCancelled(const std::string& message) : Cancelled(message) {}
  TaskCancelled(const TaskCancelled&) = default;
  TaskCancelled& operator=(const TaskCancelled&) = default;
  ~TaskCancelled() override;
};

}  // namespace dash::exec
