#include "teams/collectives/AsyncCollectives.h"

#include <mutex>
#include <utility>

#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Trace.h"
#include "teams/Team.h"

namespace dash::dart {

namespace {

/// A caller may leave a larger collective to the thread immediately.
constexpr std::size_t max_small_bytes = std::size_t{64} << 10;
/// Minimum interval of notifications about small collectives.
constexpr std::uint64_t notification_interval_ns = 1'000'000;

}  // namespace

AsyncCollectives& AsyncCollectives::instance() noexcept {
  static AsyncCollectives* const collectives = new AsyncCollectives();
  return *collectives;
}

/// \pre the caller holds the lock
bool AsyncCollectives::advance(CollectiveQueue::Completed& completed) {
  bool advanced = false;
  bool others_depend = false;
  core::after_other_processes();
  std::erase_if(_queues, [&](CollectiveQueue* queue) {
    advanced |= queue->advance(completed);
    others_depend = others_depend || queue->others_depend();
    queue->is_listed = !queue->empty();
    return queue->empty();
  });
  core::before_other_processes();
  if (_queues.empty()) _has_continuation = false;
  _active.store(_queues.size(), std::memory_order_seq_cst);
  _thread_requested.store(others_depend || _has_continuation, std::memory_order_seq_cst);
  return advanced;
}

void AsyncCollectives::complete(CollectiveQueue::Completed& completed) noexcept {
  for (QueuedCollective& collective : completed) {
    if (core::tracing()) [[unlikely]] {
      core::trace_flight_end(core::TraceKind::collective, collective.name,
                             collective.operation.get());
    }
    collective.operation.reset();
    if (!collective.mismatch) {
      collective.done->complete();
    } else {
      collective.done->fail(std::make_exception_ptr(exception::InvalidArgument(mismatch_text)));
    }
  }
}

void AsyncCollectives::start(Team& team, QueuedCollective collective) {
  CollectiveQueue::Completed completed;
  bool advanced = false;
  bool thread_requested = false;
  const std::size_t nbytes = collective.operation->nbytes();
  if (core::tracing()) [[unlikely]] {
    core::trace_flight_begin(core::TraceKind::collective, collective.name,
                             collective.operation.get(), nbytes);
  }
  {
    const std::lock_guard lock(_lock);
    CollectiveQueue& queue = team.collectives().queue();
    queue.push(std::move(collective));
    if (!std::exchange(queue.is_listed, true)) _queues.push_back(&queue);
    advanced = advance(completed);
    thread_requested = _thread_requested.load(std::memory_order_relaxed);
  }
  complete(completed);
  if (advanced) wake_sleepers();
  if (thread_requested) notify_thread(team, nbytes > max_small_bytes);
}

/// Wakes sleeping threads: their words may be outdated, and advance() has unregistered them.
void AsyncCollectives::wake_sleepers() noexcept {
  exec::Engine::instance().completed();
}

/// Between nodes the thread polls periodically, and is notified at intervals, unless callers poll: a caller
/// that starts a small collective usually waits for it soon, and polls itself.
void AsyncCollectives::notify_thread(const Team& team, bool large) noexcept {
  exec::Engine& engine = exec::Engine::instance();
  if (team.layout().nnodes() == 1) return engine.notify();
  if (large) return engine.wake_progress_thread();
  const std::uint64_t now = core::now_ns();
  if (now < _next_notification_ns.load(std::memory_order_relaxed)) return;
  _next_notification_ns.store(now + notification_interval_ns, std::memory_order_relaxed);
  engine.notify_soon();
}

void AsyncCollectives::finish(Team& team) {
  const exec::Purpose purpose("the non-blocking collectives of team {}", team.id());
  exec::Engine::instance().wait_until([&] {
    const std::lock_guard lock(_lock);
    return team.collectives().queue().empty();
  });
}

void AsyncCollectives::request_thread() noexcept {
  {
    const std::lock_guard lock(_lock);
    if (_queues.empty()) return;
    _has_continuation = true;
    _thread_requested.store(true, std::memory_order_seq_cst);
  }
  exec::Engine::instance().notify();
}

bool AsyncCollectives::poll() noexcept {
  // A poll that misses a collective does no harm: the thread that starts it advances it, and later polls find it.
  if (_active.load(std::memory_order_acquire) == 0) return false;
  bool advanced = false;
  bool thread_requested = false;
  CollectiveQueue::Completed completed;
  // Relaxed: the lock orders the load after the store in advance().
  _lock.run([&] {
    advanced |= advance(completed);
    thread_requested = _thread_requested.load(std::memory_order_relaxed);
  });
  complete(completed);
  if (!advanced) return false;
  wake_sleepers();
  if (thread_requested && !exec::on_progress_thread())
    _thread_words_outdated.store(true, std::memory_order_seq_cst);
  return true;
}

bool AsyncCollectives::thread_must_recheck() noexcept {
  // Relaxed: a caller reads its own store or a later one. The exchange decides and orders.
  return _thread_words_outdated.load(std::memory_order_relaxed) &&
         _thread_words_outdated.exchange(false, std::memory_order_seq_cst) &&
         wakes_progress_thread();
}

exec::Demand AsyncCollectives::demand() const noexcept {
  const bool requested = _thread_requested.load(std::memory_order_seq_cst);
  return requested && !(thread_may_poll() && exec::Engine::instance().has_thread())
             ? exec::Demand::waiting
             : exec::Demand::none;
}

exec::PollSource::Words AsyncCollectives::wait_words(std::span<core::FutexWord> words,
                                                     bool /*by_thread*/) noexcept {
  Words all;
  const std::lock_guard lock(_lock);
  for (CollectiveQueue* const queue : _queues) {
    const Words own = queue->wait_words(words.subspan(all.count));
    all.count += own.count;
    all.complete = all.complete && own.complete;
    all.found = all.found || own.found;
  }
  return all;
}

}  // namespace dash::dart
