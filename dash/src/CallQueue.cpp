#include "dash/internal/CallQueue.h"

#include <deque>
#include <mutex>
#include <utility>

#include "dash/Async.h"

namespace dash::internal {

/// Shared with the task that runs the calls, which may return after the last of them is seen to end.
struct CallQueue::Calls {
  struct Entry {
    QueuedCall* call = nullptr;
    exec::StatePtr<exec::State> state;
  };

  explicit Calls(Team of) : team(std::move(of)) {}

  /// The next call; none ends the task.
  Entry next() {
    const std::lock_guard lock(mutex);
    if (waiting.empty()) {
      running = false;
      return {};
    }
    Entry entry = std::move(waiting.front());
    waiting.pop_front();
    return entry;
  }

  Team team;
  std::mutex mutex;
  std::deque<Entry> waiting;
  bool running = false;
  exec::StatePtr<exec::State> last;
};

CallQueue::CallQueue(const Team& team) : _calls(std::make_shared<Calls>(team.clone())) {}

CallQueue::~CallQueue() {
  if (_calls->last) _calls->last->wait();
  const Team ended = std::move(_calls->team);
}

void CallQueue::add(QueuedCall& call, exec::StatePtr<exec::State> state) {
  exec::StatePtr<exec::State> before;
  {
    const std::lock_guard lock(_calls->mutex);
    _calls->waiting.push_back({&call, state});
    before = std::exchange(_calls->last, std::move(state));
    if (std::exchange(_calls->running, true)) return;
  }
  try {
    dash::async([calls = _calls] {
      for (auto entry = calls->next(); entry.call != nullptr; entry = calls->next())
        entry.call->run_on(calls->team);
    });
  } catch (...) {
    // As if nothing had been added; no other call waits where no task was running.
    const std::lock_guard lock(_calls->mutex);
    _calls->waiting.pop_back();
    _calls->last = std::move(before);
    _calls->running = false;
    throw;
  }
}

}  // namespace dash::internal
