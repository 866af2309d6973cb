#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "Intervals.h"

namespace dash::trace {

/// An error in a file or an argument. The message is for the user.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Categories of events, named as in the file (dash/core/Trace.h).
enum class Category : std::uint8_t { call, wait, operation, collective, copy, progress, task };

/// An activity of a thread.
struct Span {
  Interval time;
  std::uint64_t nbytes = 0;
  std::uint32_t name = 0;  // index into Timeline::names
  std::int32_t peer = -1;  // unit, -1 if the event has none
  Category category = Category::call;
};

/// An operation in flight between units or within a node, or a suspended task. Flights of a unit may overlap.
struct Flight {
  Interval time;
  std::uint64_t nbytes = 0;
  std::uint32_t name = 0;  // index into Timeline::names
  std::int32_t peer = -1;  // unit, -1 if the event has none
  Category category = Category::operation;
  bool finished = true;  // if not, the end was not recorded and the flight ends with the recording
};

struct Thread {
  std::string name;
  std::vector<Span> spans;  // by begin; a span precedes those that it contains
};

struct Unit {
  int id = 0;
  std::vector<Thread> threads;
  std::vector<Flight> flights;  // by begin
  std::uint64_t dropped = 0;    // events that were not recorded
};

/// Whether a span of category `progress` is a sleep of the progress thread; the others are polls.
inline bool is_sleep(std::string_view name) {
  return name == "sleep" || name == "sleeping";
}

struct Timeline {
  std::vector<Unit> units;  // by id
  std::vector<std::string> names;
  std::uint64_t events = 0;
  std::uint64_t units_started = 0;  // of the program; those that did not write are not in `units`
};

/// \throws Error if the file cannot be read or is not a complete timeline; the message names the position in the
///         file and what was expected
/// \cost  memory: a third of the size of the file
Timeline read_timeline(const std::string& path);

}  // namespace dash::trace
