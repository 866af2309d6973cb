#include "Activity.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace dash::trace {

namespace {

constexpr std::string_view progress_thread = "dash-progress";
constexpr std::string_view main_thread = "main";

Role role_of(const Thread& thread) {
  if (thread.name == progress_thread) return Role::progress;
  if (thread.name == main_thread) return Role::main;
  const bool has_tasks =
      std::any_of(thread.spans.begin(), thread.spans.end(),
                  [](const Span& span) { return span.category == Category::task; });
  return has_tasks ? Role::worker : Role::other;
}

/// Derives the states of a thread from its spans, which nest. The innermost span determines the state, with one
/// exception: spans inside a wait belong to the wait, unless a task contains them.
class StateBuilder {
 public:
  StateBuilder(const Interval& range, std::size_t thread) : _range(range), _thread(thread) {}

  std::vector<Segment> segments;
  std::vector<Wait> waits;

  void run(const std::vector<Span>& spans) {
    for (const Span& span : spans) {
      leave_until(span.time.begin);
      enter(span);
    }
    leave_until(std::numeric_limits<Time>::max());
  }

 private:
  struct Frame {
    Time end;
    State state;
    std::uint32_t call;  // name of this call, or of the call that contains the frame
    bool has_call;
    bool collective;
  };

  static State state_of(const Span& span, State outer) {
    switch (span.category) {
      case Category::task:
        return State::task;
      case Category::wait:
      case Category::operation:
      case Category::collective:
        return State::wait;
      default:
        return outer == State::wait ? State::wait : State::call;
    }
  }

  void enter(const Span& span) {
    Frame frame{span.time.end, State::application, span.name, false, false};
    State outer = State::application;
    if (!_stack.empty()) {
      const Frame& outer_frame = _stack.back();
      emit(span.time.begin, outer_frame.state);
      outer = outer_frame.state;
      // Spans of a thread nest. If a file violates this, the outer span ends the inner one.
      frame.end = std::min(frame.end, outer_frame.end);
      if (span.category != Category::task && outer_frame.has_call) {
        frame.call = outer_frame.call;
        frame.has_call = true;
      }
      frame.collective = span.category != Category::task && outer_frame.collective;
    }
    _now = std::max(_now, span.time.begin);
    if (span.category == Category::call) {
      frame.call = span.name;
      frame.has_call = true;
    }
    frame.collective = frame.collective || span.category == Category::collective;
    frame.state = state_of(span, outer);
    if (frame.state == State::wait && outer != State::wait) {
      const Interval time = intersection({span.time.begin, frame.end}, _range);
      if (time.length() != 0)
        waits.push_back({time, _thread, span.name, frame.call, frame.collective});
    }
    _stack.push_back(frame);
  }

  void leave_until(Time time) {
    while (!_stack.empty() && _stack.back().end <= time) {
      emit(_stack.back().end, _stack.back().state);
      _stack.pop_back();
    }
  }

  /// Appends a segment from `_now` to `until`.
  void emit(Time until, State state) {
    const Interval time = intersection({_now, until}, _range);
    _now = std::max(_now, until);
    if (time.length() == 0) return;
    if (!segments.empty() && segments.back().state == state &&
        segments.back().time.end == time.begin) {
      segments.back().time.end = time.end;
    } else {
      segments.push_back({time, state});
    }
  }

  Interval _range;
  std::size_t _thread;
  std::vector<Frame> _stack;
  Time _now = std::numeric_limits<Time>::min();
};

TimeSet times_of(const std::vector<Segment>& segments, bool (*is_selected)(State)) {
  std::vector<Interval> times;
  for (const Segment& segment : segments) {
    if (is_selected(segment.state)) times.push_back(segment.time);
  }
  return TimeSet(std::move(times));
}

/// The time in which a thread runs code of the application.
TimeSet computing(const Thread& thread, Role role, const std::vector<Segment>& segments,
                  const Interval& range) {
  const TimeSet in_tasks = times_of(segments, [](State state) { return state == State::task; });
  if (role == Role::worker) return in_tasks;
  Interval alive = range;
  if (role == Role::other) {
    if (thread.spans.empty()) return {};
    Time last = thread.spans.front().time.end;
    for (const Span& span : thread.spans)
      last = std::max(last, span.time.end);
    alive = intersection({thread.spans.front().time.begin, last}, range);
  }
  return TimeSet({alive}) - times_of(segments, [](State state) {
           return state == State::call || state == State::wait;
         });
}

}  // namespace

Interval recorded_time(const Unit& unit) {
  Interval range;
  const auto cover = [&](const Interval& time) { range.end = std::max(range.end, time.end); };
  for (const Thread& thread : unit.threads) {
    for (const Span& span : thread.spans)
      cover(span.time);
  }
  for (const Flight& flight : unit.flights)
    cover(flight.time);
  return range;
}

Activity activity_of(const Unit& unit, const Interval& window) {
  Activity activity;
  activity.range = intersection(recorded_time(unit), window);
  TimeSet waiting;
  for (std::size_t i = 0; i < unit.threads.size(); ++i) {
    const Thread& thread = unit.threads[i];
    activity.roles.push_back(role_of(thread));
    activity.threads.emplace_back();
    if (activity.roles[i] == Role::progress) continue;
    StateBuilder states(activity.range, i);
    states.run(thread.spans);
    activity.computing =
        activity.computing | computing(thread, activity.roles[i], states.segments, activity.range);
    waiting = waiting | times_of(states.segments, [](State state) { return state == State::wait; });
    activity.threads[i] = std::move(states.segments);
    activity.waits.insert(activity.waits.end(), states.waits.begin(), states.waits.end());
  }
  activity.waiting = waiting - activity.computing;
  return activity;
}

std::string name_of_thread(const Unit& unit, const Activity& activity, std::size_t thread) {
  switch (activity.roles[thread]) {
    case Role::main:
      return "main";
    case Role::progress:
      return "progress";
    case Role::worker:
      return "worker " + std::to_string(thread);
    case Role::other:
      break;
  }
  return unit.threads[thread].name.empty() ? "thread " + std::to_string(thread)
                                           : unit.threads[thread].name;
}

}  // namespace dash::trace
