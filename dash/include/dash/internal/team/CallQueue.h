#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "dash/Team.h"
#include "dash/async/State.h"
#include "dash/async/ValueState.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// A collective call that runs later.
class QueuedCall {
 public:
  /// \param team  the queue's clone of the team of the call
  virtual void run_on(Team& team) noexcept = 0;

 protected:
  ~QueuedCall() = default;
};

/// Runs collective calls of a team as tasks, one after the other, in the order in which they were
/// added, which is the same on all units. The calls communicate on a clone of the team, so that
/// they do not interleave with collectives that the caller starts on the original team.
class DASH_API CallQueue {
 public:
  /// \collective over the team  \blocks until all units have called it
  explicit CallQueue(const Team& team);
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;
  /// Waits until all calls have run.
  /// \collective over the team
  ~CallQueue();

  /// \param state  the state of the result of `call`; owns `call`
  /// \threads externally synchronized  \blocks never
  /// \throws std::bad_alloc, and then the call is not added
  void add(QueuedCall& call, exec::StatePtr<exec::State> state);

 private:
  struct Calls;
  std::shared_ptr<Calls> _calls;
};

/// A queued call and the state of its result.
template <class R, class F>
class CallState final : public exec::ValueState<R>, public QueuedCall {
 public:
  CallState(const char* name, F&& f) : _name(name), _f(std::move(f)) {}

  exec::Label label() const noexcept override { return {_name}; }

  void run_on(Team& team) noexcept override {
    this->set_result_of([&] { return (*_f)(team); }, [&] { _f.reset(); });
  }

 private:
  const char* _name;
  std::optional<F> _f;
};

}  // namespace dash::internal
