#include "dash/internal/team/CallQueue.h"

#include <deque>
#include <mutex>
#include <utility>

#include "dash/async/Executor.h"

namespace dash::internal {

/// The job that runs the calls. add() submits it unless it is already submitted. While it is
/// submitted, it owns a reference to itself: it may return after the last call has completed, when
/// the queue may have been destroyed.
struct CallQueue::Calls final : public exec::Job {
  struct Entry {
    QueuedCall* call = nullptr;
    exec::StatePtr<exec::State> state;
  };

  explicit Calls(Team of) : team(std::move(of)) {}

  void run() noexcept override {
    for (Entry entry = next(); entry.call != nullptr; entry = next())
      entry.call->run_on(team);
  }

  /// The next call. If there is none, the job ends and can be submitted again.
  Entry next() noexcept {
    std::shared_ptr<Calls> ended;  // destroyed after the lock is released
    const std::lock_guard lock(mutex);
    if (waiting.empty()) {
      ended = std::move(running);
      return {};
    }
    Entry entry = std::move(waiting.front());
    waiting.pop_front();
    return entry;
  }

  Team team;
  std::mutex mutex;
  std::deque<Entry> waiting;
  std::shared_ptr<Calls> running;  // keeps the job alive while it is submitted
  exec::StatePtr<exec::State> last;
};

CallQueue::CallQueue(const Team& team) : _calls(std::make_shared<Calls>(team.clone())) {}

CallQueue::~CallQueue() {
  if (_calls->last) _calls->last->wait();
  const Team ended = std::move(_calls->team);
}

void CallQueue::add(QueuedCall& call, exec::StatePtr<exec::State> state) {
  {
    const std::lock_guard lock(_calls->mutex);
    _calls->waiting.push_back({&call, state});
    _calls->last = std::move(state);
    if (_calls->running != nullptr) return;
    _calls->running = _calls;
  }
  exec::announce_job();
  exec::submit_job(*_calls);
}

}  // namespace dash::internal
