#include "dash/async/TaskGraph.h"

#include <algorithm>
#include <utility>

#include "base/ProgressService.h"
#include "dash/async/Watch.h"

namespace dash::exec {

namespace {

/// From this number of readers of a segment on, finished ones are removed each time the number doubles.
constexpr std::size_t many_readers = 16;
/// From this number of segments on, unused ones are removed each time the number doubles.
constexpr std::size_t many_segments = 1024;

}  // namespace

TaskCancelled::~TaskCancelled() = default;

TaskGraph::TaskGraph() noexcept : _prune_at(many_segments) {}

TaskGraph::~TaskGraph() {
  for (auto& [begin, segment] : _segments)
    forget(segment);
}

void TaskGraph::add(GraphNode& node) noexcept {
  _unfinished.fetch_add(1, std::memory_order_relaxed);
  node.retain();  // until it has finished
}

void TaskGraph::expect(GraphNode& node, std::uint32_t n) noexcept {
  node._pending.fetch_add(n, std::memory_order_relaxed);
}

void TaskGraph::satisfy(GraphNode& node) noexcept {
  if (node._pending.fetch_sub(1, std::memory_order_acq_rel) == 1) node.ready();
}

void TaskGraph::finish(GraphNode& node) noexcept {
  std::vector<GraphNode*> successors;
  {
    std::lock_guard lock(node._lock);
    node._finished = true;
    successors.swap(node._successors);
  }
  for (GraphNode* const successor : successors)
    satisfy(*successor);
  node.release();
  SharedWord* const word = _finished_word.load(std::memory_order_acquire);
  if (_unfinished.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // The graph may have been destroyed.
  progress_service().notify_completion();
  if (word != nullptr) word->add(1);
}

void TaskGraph::depend(GraphNode& node, GraphNode* on) {
  if (on == nullptr || on == &node) return;
  std::lock_guard lock(on->_lock);
  if (on->_finished) return;
  on->_successors.push_back(&node);
  node._pending.fetch_add(1, std::memory_order_relaxed);
}

void TaskGraph::forget(Segment& segment) noexcept {
  if (segment.writer != nullptr) segment.writer->release();
  for (GraphNode* const reader : segment.readers)
    reader->release();
}

void TaskGraph::add_reader(Segment& segment, GraphNode& node) {
  if (!segment.readers.empty() && segment.readers.back() == &node) return;
  const std::size_t size = segment.readers.size();
  if (size >= many_readers && (size & (size - 1)) == 0) {
    std::erase_if(segment.readers, [](GraphNode* reader) {
      const bool gone = reader->finished();
      if (gone) reader->release();
      return gone;
    });
  }
  segment.readers.push_back(&node);
  node.retain();
}

/// Splits the segment that contains an address, so that a segment begins there.
void TaskGraph::split(std::uintptr_t at) {
  auto after = _segments.upper_bound(at);
  if (after == _segments.begin()) return;
  const auto before = std::prev(after);
  if (before->first == at || before->second.end <= at) return;
  Segment second = before->second;
  if (second.writer != nullptr) second.writer->retain();
  for (GraphNode* const reader : second.readers)
    reader->retain();
  before->second.end = at;
  _segments.emplace_hint(after, at, std::move(second));
}

/// \returns the segment that equals the range, or the end
TaskGraph::Segments::iterator TaskGraph::find_exact(const MemoryRange& range) {
  const auto found = _segments.find(range.begin);
  return found != _segments.end() && found->second.end == range.end ? found : _segments.end();
}

void TaskGraph::read(GraphNode& node, const MemoryRange& range) {
  if (const auto found = find_exact(range); found != _segments.end()) {
    depend(node, found->second.writer);
    add_reader(found->second, node);
    return;
  }
  split(range.begin);
  split(range.end);
  std::uintptr_t at = range.begin;
  for (auto it = _segments.lower_bound(range.begin); at < range.end;) {
    if (it == _segments.end() || it->first > at) {
      // No node has used this part yet.
      const std::uintptr_t end = it == _segments.end() ? range.end : std::min(range.end, it->first);
      it = _segments.emplace_hint(it, at, Segment{end, nullptr, {}});
    }
    depend(node, it->second.writer);
    add_reader(it->second, node);
    at = it->second.end;
    ++it;
  }
}

void TaskGraph::write(GraphNode& node, const MemoryRange& range) {
  const auto wait_for_users = [&](Segment& segment) {
    // The readers depend on the writer, so the node need not.
    bool only_itself = true;
    for (GraphNode* const reader : segment.readers) {
      only_itself &= reader == &node;
      depend(node, reader);
    }
    if (only_itself) depend(node, segment.writer);
    forget(segment);
  };
  node.retain();
  if (const auto found = find_exact(range); found != _segments.end()) {
    wait_for_users(found->second);
    found->second.readers.clear();
    found->second.writer = &node;
    return;
  }
  split(range.begin);
  split(range.end);
  auto it = _segments.lower_bound(range.begin);
  while (it != _segments.end() && it->first < range.end) {
    wait_for_users(it->second);
    it = _segments.erase(it);
  }
  _segments.emplace_hint(it, range.begin, Segment{range.end, &node, {}});
}

/// Removes segments on which no later node can depend.
void TaskGraph::prune() noexcept {
  const auto is_finished = [](GraphNode* node) { return node == nullptr || node->finished(); };
  for (auto it = _segments.begin(); it != _segments.end();) {
    Segment& segment = it->second;
    if (is_finished(segment.writer) &&
        std::all_of(segment.readers.begin(), segment.readers.end(), is_finished)) {
      forget(segment);
      it = _segments.erase(it);
    } else {
      ++it;
    }
  }
  _prune_at = std::max(many_segments, 2 * _segments.size());
}

void TaskGraph::enter(GraphNode& node, std::span<const MemoryUse> uses) {
  if (uses.empty()) return;
  // One lock for all ranges: two nodes have the same order in all of them.
  std::lock_guard lock(_mutex);
  if (_segments.size() >= _prune_at) prune();
  for (const MemoryUse& use : uses) {
    if (use.range.empty()) continue;
    if (use.mode == Access::in) {
      read(node, use.range);
    } else {
      write(node, use.range);
    }
  }
}

bool TaskGraph::is_last_writer(const GraphNode& node, const MemoryRange& range) {
  std::lock_guard lock(_mutex);
  const auto found = find_exact(range);
  return found != _segments.end() && found->second.writer == &node;
}

void TaskGraph::cancel(std::exception_ptr error) noexcept {
  {
    std::lock_guard lock(_error_lock);
    if (_error == nullptr) _error = std::move(error);
  }
  _cancelled.store(true, std::memory_order_release);
}

std::exception_ptr TaskGraph::reset() noexcept {
  std::lock_guard lock(_error_lock);
  _cancelled.store(false, std::memory_order_release);
  return std::exchange(_error, nullptr);
}

void TaskGraph::wait() {
  if (in_job()) {
    throw exception::RuntimeError(
        "a task waits until all tasks have finished, itself included; it can wait for futures");
  }
  const Purpose purpose("all tasks of this unit");
  progress_service().wait_until([this] { return unfinished() == 0; }, no_deadline);
  {
    std::lock_guard lock(_mutex);
    prune();
  }
  if (const std::exception_ptr error = reset()) std::rethrow_exception(error);
}

GraphTask::GraphTask(TaskGraph& graph, Priority priority) noexcept : Job(priority), _graph(graph) {
  announce_job();
}

void GraphTask::run() noexcept {
  if (!_disabled && !_graph.cancelled()) {
    try {
      execute();
    } catch (const TaskCancelled&) {
      _graph.cancel(nullptr);
    } catch (...) {
      _graph.cancel(std::current_exception());
    }
  }
  before_finish();
  _graph.finish(*this);
  release();
}

}  // namespace dash::exec
