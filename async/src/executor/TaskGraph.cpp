#include "dash/async/TaskGraph.h"

#include <algorithm>
#include <utility>

#include "dash/async/Watch.h"

namespace dash::exec {

namespace {

/// From so many readers on, those that have finished are looked for, at each doubling.
constexpr std::size_t many_readers = 16;
/// From so many pieces on, those that nobody has to wait for are looked for, at each doubling.
constexpr std::size_t many_pieces = 1024;

}  // namespace

TaskCancelled::~TaskCancelled() = default;

TaskGraph::TaskGraph() noexcept : _prune_at(many_pieces) {}

TaskGraph::~TaskGraph() {
  for (auto& [begin, piece] : _pieces)
    forget(piece);
}

void TaskGraph::add(GraphNode& node) noexcept {
  _unfinished.fetch_add(1, std::memory_order_relaxed);
  node.retain();  // until it has finished
}

void TaskGraph::expect(GraphNode& node, std::uint32_t n) noexcept {
  node._pending.fetch_add(n, std::memory_order_relaxed);
}

void TaskGraph::meet(GraphNode& node) noexcept {
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
    meet(*successor);
  node.release();
  SharedWord* const bell = _bell;
  if (_unfinished.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // The graph may be gone.
  Engine::instance().completed();
  if (bell != nullptr) bell->add(1);
}

void TaskGraph::depend(GraphNode& node, GraphNode* on) {
  if (on == nullptr || on == &node) return;
  std::lock_guard lock(on->_lock);
  if (on->_finished) return;
  on->_successors.push_back(&node);
  node._pending.fetch_add(1, std::memory_order_relaxed);
}

void TaskGraph::forget(Piece& piece) noexcept {
  if (piece.writer != nullptr) piece.writer->release();
  for (GraphNode* const reader : piece.readers)
    reader->release();
}

void TaskGraph::add_reader(Piece& piece, GraphNode& node) {
  if (!piece.readers.empty() && piece.readers.back() == &node) return;
  const std::size_t size = piece.readers.size();
  if (size >= many_readers && (size & (size - 1)) == 0) {
    std::erase_if(piece.readers, [](GraphNode* reader) {
      const bool gone = reader->finished();
      if (gone) reader->release();
      return gone;
    });
  }
  piece.readers.push_back(&node);
  node.retain();
}

/// Lets a piece end, and another begin, at an address.
void TaskGraph::split(std::uintptr_t at) {
  auto after = _pieces.upper_bound(at);
  if (after == _pieces.begin()) return;
  const auto before = std::prev(after);
  if (before->first == at || before->second.end <= at) return;
  Piece second = before->second;
  if (second.writer != nullptr) second.writer->retain();
  for (GraphNode* const reader : second.readers)
    reader->retain();
  before->second.end = at;
  _pieces.emplace_hint(after, at, std::move(second));
}

/// The piece that is exactly the range, or the end.
TaskGraph::Pieces::iterator TaskGraph::only(const MemoryRange& range) {
  const auto found = _pieces.find(range.begin);
  return found != _pieces.end() && found->second.end == range.end ? found : _pieces.end();
}

void TaskGraph::read(GraphNode& node, const MemoryRange& range) {
  if (const auto found = only(range); found != _pieces.end()) {
    depend(node, found->second.writer);
    add_reader(found->second, node);
    return;
  }
  split(range.begin);
  split(range.end);
  std::uintptr_t at = range.begin;
  for (auto it = _pieces.lower_bound(range.begin); at < range.end;) {
    if (it == _pieces.end() || it->first > at) {
      // Nobody has used this part yet.
      const std::uintptr_t end = it == _pieces.end() ? range.end : std::min(range.end, it->first);
      it = _pieces.emplace_hint(it, at, Piece{end, nullptr, {}});
    }
    depend(node, it->second.writer);
    add_reader(it->second, node);
    at = it->second.end;
    ++it;
  }
}

void TaskGraph::write(GraphNode& node, const MemoryRange& range) {
  const auto wait_for_users = [&](Piece& piece) {
    // The readers have waited for the writer.
    bool only_itself = true;
    for (GraphNode* const reader : piece.readers) {
      only_itself &= reader == &node;
      depend(node, reader);
    }
    if (only_itself) depend(node, piece.writer);
    forget(piece);
  };
  node.retain();
  if (const auto found = only(range); found != _pieces.end()) {
    wait_for_users(found->second);
    found->second.readers.clear();
    found->second.writer = &node;
    return;
  }
  split(range.begin);
  split(range.end);
  auto it = _pieces.lower_bound(range.begin);
  while (it != _pieces.end() && it->first < range.end) {
    wait_for_users(it->second);
    it = _pieces.erase(it);
  }
  _pieces.emplace_hint(it, range.begin, Piece{range.end, &node, {}});
}

/// Forgets what nobody has to wait for any more.
void TaskGraph::prune() noexcept {
  const auto over = [](GraphNode* node) { return node == nullptr || node->finished(); };
  for (auto it = _pieces.begin(); it != _pieces.end();) {
    Piece& piece = it->second;
    if (over(piece.writer) && std::all_of(piece.readers.begin(), piece.readers.end(), over)) {
      forget(piece);
      it = _pieces.erase(it);
    } else {
      ++it;
    }
  }
  _prune_at = std::max(many_pieces, 2 * _pieces.size());
}

void TaskGraph::enter(GraphNode& node, std::span<const MemoryUse> uses) {
  if (uses.empty()) return;
  // One lock for all of them: whom another one precedes in one range it precedes in all.
  std::lock_guard lock(_mutex);
  if (_pieces.size() >= _prune_at) prune();
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
  const auto found = only(range);
  return found != _pieces.end() && found->second.writer == &node;
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
  Engine::instance().wait_until([this] { return unfinished() == 0; });
  {
    std::lock_guard lock(_mutex);
    prune();
  }
  if (const std::exception_ptr error = reset()) std::rethrow_exception(error);
}

GraphTask::GraphTask(TaskGraph& graph, Priority priority) noexcept : Job(priority), _graph(graph) {
  expect_job();
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
