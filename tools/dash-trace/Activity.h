#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "Timeline.h"

namespace dash::trace {

/// What a thread of the application does.
enum class State : std::uint8_t {
  own,   ///< code of the application, outside of the library; nothing is recorded of it
  call,  ///< the library, in a call that does not wait
  wait,  ///< the library, in a wait or a blocking operation
  task   ///< code of the application, in a task, chunk or continuation
};

struct Segment {
  Interval time;
  State state = State::own;
};

enum class Role : std::uint8_t {
  main,
  progress,  ///< the library's own thread
  worker,    ///< runs tasks, and does nothing between them
  other      ///< a thread of the application's, which works from its first event to its last
};

/// One of the waits of an application's thread; not within another one.
struct Wait {
  Interval time;
  std::size_t thread = 0;
  std::uint32_t name = 0;
  std::uint32_t within = 0;  // name of the call around it; its own if there is none
  bool collective = false;   // whether that belongs to a collective
};

/// What the threads of a unit did, within a window of time.
struct Activity {
  Interval range;                             // of the unit, from the end of the initialisation on
  std::vector<Role> roles;                    // of each thread
  std::vector<std::vector<Segment>> threads;  // of each: disjoint, in order, none of State::own
  std::vector<Wait> waits;
  TimeSet computing;  // at least one thread runs code of the application
  TimeSet waiting;    // none does, and at least one waits
};

/// From the end of the initialisation, which is 0, to the unit's last event.
Interval recorded_time(const Unit& unit);

/// \param window  what is outside of it counts for nothing
Activity activity_of(const Unit& unit, const Interval& window);

/// What a thread of this role is called in texts.
std::string name_of_thread(const Unit& unit, const Activity& activity, std::size_t thread);

}  // namespace dash::trace
