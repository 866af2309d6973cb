#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "dash/core/Export.h"

namespace dash::util {

/// What states units were in and when, by named contexts, for programs that trace themselves. (What
/// the library does is recorded by DART_TRACE, see docs/timeline.md; states are in that, too.)
/// \threads one at a time
class DASH_API TraceStore {
 public:
  /// A state of the calling unit; times in nanoseconds of the machine's clock.
  struct Event {
    std::uint64_t begin_ns;
    std::uint64_t end_ns;
    std::string state;
  };
  using trace_events_t = std::vector<Event>;

  /// Begins to record, if the application's setting DASH_ENABLE_TRACE says so.
  /// \returns whether it records
  static bool on();
  static void off();
  static bool enabled() noexcept;

  static void clear();
  static void clear(const std::string& context);

  static void add_context(const std::string& context);
  /// The events of a context, in the order of their ends; it is added if there is none.
  static trace_events_t& context_trace(const std::string& context);

  /// Writes the events of all units and contexts as lines "context; unit; begin; end; state", times in
  /// microseconds since the first of them, by the clock of the unit's host: on unit 0.
  /// \collective over Team::All()  \blocks until all units have called it
  static void write(std::ostream& out, bool print_header = true);
  /// \param path  of the folder; the setting DASH_TRACE_LOG_PATH if it is empty
  /// \returns (on unit 0) whether the file was written
  static bool write(const std::string& filename, const std::string& path = "");
};

/// The states of a context, as its unit enters and leaves them.
/// \threads one at a time per object
class DASH_API Trace {
 public:
  /// \collective over Team::All(), if the store records: all units begin at one time
  explicit Trace(const std::string& context = "global");

  void enter_state(const std::string& state);
  /// Without effect for a state that was not entered while it was recorded.
  void exit_state(const std::string& state);

 private:
  std::string _context;
  std::map<std::string, std::uint64_t> _entered;
};

}  // namespace dash::util
