#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "Intervals.h"

namespace dash::trace {

/// What is wrong with what the user gave; its text is for them.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// As the library names them (core/Trace.h).
enum class Category : std::uint8_t { call, wait, operation, collective, copy, progress, task };

/// What a thread did.
struct Span {
  Interval time;
  std::uint64_t nbytes = 0;
  std::uint32_t name = 0;  // index into the timeline's names
  std::int32_t peer = -1;
  Category category = Category::call;
};

/// What was in flight: between units, on the node, or a task that was set aside.
struct Flight {
  Interval time;
  std::uint64_t nbytes = 0;
  std::uint32_t name = 0;
  std::int32_t peer = -1;
  Category category = Category::operation;
  bool finished = true;  // else it lasts until the end of the recording
};

struct Thread {
  std::string name;
  std::vector<Span> spans;  // by begin; what contains others before them
};

struct Unit {
  int id = 0;
  std::vector<Thread> threads;
  std::vector<Flight> flights;  // by begin
  std::uint64_t dropped = 0;    // events that were not recorded
};

/// Of the spans in which the progress thread sleeps.
inline constexpr std::string_view asleep_name = "asleep";

struct Timeline {
  std::vector<Unit> units;  // by id
  std::vector<std::string> names;
  std::uint64_t events = 0;
  std::uint64_t units_started = 0;  // of the program; more than there are if some did not write
};

/// \throws Error if the file cannot be read, or is not a whole timeline: says where and what was
///         expected
/// \cost  time: some 100 MB a second; memory: a third of the file
Timeline read_timeline(const std::string& path);

}  // namespace dash::trace
