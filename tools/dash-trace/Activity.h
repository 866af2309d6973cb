#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "Timeline.h"

namespace dash::trace {

/// State of a thread that is not the progress thread.
enum class State : std::uint8_t {
  application,  ///< runs code of the application outside of the library; no event is recorded
  call,         ///< in a call of the library that does not wait
  wait,         ///< waits in the library, or in a blocking operation
  task          ///< runs code of the application in a task, a chunk or a continuation
};

struct Segment {
  Interval time;
  State state = State::application;
};

enum class Role : std::uint8_t {
  main,
  progress,  ///< the progress thread of the library
  worker,    ///< runs tasks, and is idle between them
  other  ///< another thread of the application; taken to be active from its first event to its last
};

/// A wait of a thread; not a wait that is nested in another one.
struct Wait {
  Interval time;
  std::size_t thread = 0;
  std::uint32_t name = 0;
  std::uint32_t call = 0;   // name of the call that contains the wait; `name` if there is none
  bool collective = false;  // whether a collective contains the wait
};

/// The activity of the threads of a unit within a window of time.
struct Activity {
  Interval range;           // of the unit, from the end of the initialization
  std::vector<Role> roles;  // of each thread
  std::vector<std::vector<Segment>>
      threads;  // of each: sorted, disjoint, none of State::application
  std::vector<Wait> waits;
  TimeSet computing;  // at least one thread runs code of the application
  TimeSet waiting;    // no thread does, and at least one waits
};

/// The time from the end of the initialization, which is 0, to the last event of the unit.
Interval recorded_time(const Unit& unit);

/// \param window  the time to consider
Activity activity_of(const Unit& unit, const Interval& window);

/// A name of the thread for reports.
std::string name_of_thread(const Unit& unit, const Activity& activity, std::size_t thread);

}  // namespace dash::trace
