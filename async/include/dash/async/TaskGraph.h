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
#include "dash/async/Executor.h"
#include "dash/async/SharedWord.h"
#include "dash/core/Export.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// How a task uses memory. `out` and `inout` order tasks alike, since memory is not renamed; they differ for
/// the human reader only.
enum class Access : std::uint8_t { in, out, inout };

/// The addresses [begin, end).
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

/// The use of a memory range by a task.
struct MemoryUse {
  MemoryRange range;
  Access mode = Access::in;
};

/// A node of the graph: it becomes ready once, and finishes later.
///
/// Reference counted: the graph holds a reference until the node has finished, and more as long as later
/// nodes may depend on it.
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
  /// All dependencies have been satisfied. Called once, without the locks of the graph; may wait.
  virtual void ready() noexcept = 0;

 private:
  friend class TaskGraph;
  bool finished() noexcept {
    std::lock_guard lock(_lock);
    return _finished;
  }

  // References: decrements release, and the one that reaches 0 acquires, so the thread that deletes the node sees all
  // accesses to it. Dependencies: each decrement releases and the last one acquires, so the node sees what its
  // predecessors wrote. Increments are relaxed: the caller has a reference, and a read-modify-write continues the
  // release sequence.
  std::atomic<std::uint32_t> _references{1};
  std::atomic<std::uint32_t> _pending{1};  // unsatisfied dependencies, plus one until commit()
  core::SpinLock _lock;                    // guards the two below
  bool _finished = false;
  std::vector<GraphNode*> _successors;
};

/// Orders tasks by the memory that they use, so that the result is that of sequential execution in the order
/// of entry: for each overlap, a reader waits for the last writer, and a writer for all readers since.
///
/// For each node call add(), enter() and commit(), and finish() when it is done. A node that calls enter()
/// several times enters at several positions of the order: two such nodes may depend on each other.
/// \threads thread-safe; externally synchronized per node until commit()
class DASH_API TaskGraph {
 public:
  TaskGraph() noexcept;
  TaskGraph(const TaskGraph&) = delete;
  TaskGraph& operator=(const TaskGraph&) = delete;
  /// \pre all nodes have finished
  ~TaskGraph();

  /// Retains the node until it has finished.
  void add(GraphNode& node) noexcept;
  /// Makes the node depend on earlier nodes that use the same memory; all ranges enter atomically.
  /// \cost logarithmic in the number of ranges in use, and linear in those that it overlaps
  void enter(GraphNode& node, std::span<const MemoryUse> uses);
  /// Adds n dependencies, each of which a call of satisfy() satisfies.
  static void expect(GraphNode& node, std::uint32_t n) noexcept;
  static void satisfy(GraphNode& node) noexcept;
  /// Allows the node to become ready. It may have been destroyed when this returns.
  static void commit(GraphNode& node) noexcept { satisfy(node); }
  /// Satisfies the dependencies on this node.
  void finish(GraphNode& node) noexcept;

  /// Whether the node was the last one to write the whole range.
  bool is_last_writer(const GraphNode& node, const MemoryRange& range);

  /// Nodes that have not finished.
  std::size_t unfinished() const noexcept { return _unfinished.load(std::memory_order_acquire); }

  /// Increments a word and wakes its sleepers each time that all nodes have finished.
  /// \param word  null to end the notifications; a call of finish() that has not returned may still change the word
  void notify_when_finished(SharedWord* word) noexcept {
    _finished_word.store(word, std::memory_order_release);
  }

  /// Cancels the graph: tasks that have not begun finish without running.
  /// \param error  the exception that wait() throws; the first one of several; null for none
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
  /// \throws the exception that a task has thrown; exception::RuntimeError in a task, since it would wait for
  ///         itself
  void wait();

 private:
  /// Memory with the same last writer and the same readers since.
  struct Segment {
    std::uintptr_t end = 0;
    GraphNode* writer = nullptr;
    std::vector<GraphNode*> readers;
  };
  using Segments = std::map<std::uintptr_t, Segment>;

  static void depend(GraphNode& node, GraphNode* on);
  static void forget(Segment& segment) noexcept;
  static void add_reader(Segment& segment, GraphNode& node);
  void split(std::uintptr_t at);
  void prune() noexcept;
  Segments::iterator find_exact(const MemoryRange& range);
  void read(GraphNode& node, const MemoryRange& range);
  void write(GraphNode& node, const MemoryRange& range);

  std::mutex _mutex;  // guards the two below
  Segments _segments;
  std::size_t _prune_at;
  // Decrements release, loads acquire: a thread that reads 0 sees what all nodes wrote. Increments are relaxed, as
  // above.
  std::atomic<std::size_t> _unfinished{0};
  std::atomic<SharedWord*> _finished_word{nullptr};  // release and acquire: publishes the word
  // Release and acquire: a thread that reads true sees what preceded cancel(). The lock guards _error.
  std::atomic<bool> _cancelled{false};
  core::SpinLock _error_lock;  // guards _error
  std::exception_ptr _error;
};

/// A task of a graph. Runs as a job when it is ready, unless the graph has been cancelled.
class DASH_API GraphTask : public GraphNode, public Job {
 public:
  GraphTask(TaskGraph& graph, Priority priority) noexcept;

  void run() noexcept final;
  /// Makes the task do nothing at its position of the order. \pre not committed
  void disable() noexcept { _disabled = true; }

 protected:
  ~GraphTask() override = default;
  /// The task itself. An exception cancels the graph.
  virtual void execute() = 0;
  /// Called before dependent tasks may run, whether this task has run or not.
  virtual void before_finish() noexcept {}

 private:
  void ready() noexcept final { submit_job(*this); }

  TaskGraph& _graph;
  bool _disabled = false;
};

/// Thrown by a task to end itself and to cancel the graph. It is not an error of the graph, but futures of
/// the task fail with it.
class DASH_API TaskCancelled : public exception::Cancelled {
 public:
  explicit TaskCancelled(const std::string& message) : Cancelled(message) {}
  TaskCancelled(const TaskCancelled&) = default;
  TaskCancelled& operator=(const TaskCancelled&) = default;
  ~TaskCancelled() override;
};

}  // namespace dash::exec
