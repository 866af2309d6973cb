#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "dash/Team.h"
#include "dash/async/State.h"
#include "dash/async/ValueState.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// A collective call that runs later, and its end.
class QueuedCall {
 public:
  /// \param team  the units of the call, as a team that nothing else uses meanwhile
  virtual void run_on(Team& team) noexcept = 0;

 protected:
  ~QueuedCall() = default;
};

/// Collective calls of a team that run as tasks: one after the other, in the order in which they
/// were added, which all units share. They communicate on a team of their own with the same units,
/// so that what the caller does meanwhile on the first one does not get between.
class DASH_API CallQueue {
 public:
  /// \collective over the team  \blocks until all units have called it
  explicit CallQueue(const Team& team);
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;
  /// Waits for the calls.
  /// \collective over the team
  ~CallQueue();

  /// \param state  that of the call, which keeps it alive
  /// \threads one at a time  \blocks never
  /// \throws std::bad_alloc, and then the call is not added
  void add(QueuedCall& call, exec::StatePtr<exec::State> state);

 private:
  struct Calls;
  std::shared_ptr<Calls> _calls;
};

/// A call that waits for its turn, and what becomes of it.
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
