#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "dash/core/Export.h"

namespace dash::util {

/// Records the states of the units over time, by named contexts, for programs that trace
/// themselves. (DART_TRACE records what the library does, see docs/how-to/profile.md; the timeline
/// contains these states, too.)
/// \threads externally synchronized
/// \ingroup utilities
class DASH_API TraceStore {
 public:
  /// A state of the calling unit. Times are nanoseconds of the system's monotonic clock.
  struct Event {
    std::uint64_t begin_ns;  ///< when the unit entered the state
    std::uint64_t end_ns;    ///< when the unit left it
    std::string state;       ///< name of the state
  };
  /// The events of a context.
  using trace_events_t = std::vector<Event>;

  /// Starts recording if the application's setting DASH_ENABLE_TRACE is true.
  /// \returns whether events are recorded
  static bool on();
  /// Stops recording; recorded events are kept.
  static void off();
  /// Whether events are recorded.
  static bool enabled() noexcept;

  /// Removes all events of the calling unit, and the contexts.
  static void clear();
  /// Removes the calling unit's events of a context. Adds the context if it does not exist.
  static void clear(const std::string& context);

  /// Adds a context without events, unless it exists.
  static void add_context(const std::string& context);
  /// The events of a context, ordered by their end. Adds the context if it does not exist.
  static trace_events_t& context_trace(const std::string& context);

  /// Writes the events of all units and contexts on unit 0, as lines "context; unit; begin_us;
  /// end_us; state". Times are microseconds since the first event, by the clock of the unit's host.
  /// \collective over Team::All()  \blocks until all units have called it
  static void write(std::ostream& out, bool print_header = true);
  /// \overload
  /// To a file, with a header.
  /// \param path  of the folder; the setting DASH_TRACE_LOG_PATH if it is empty
  /// \returns (on unit 0) whether the file was written
  static bool write(const std::string& filename, const std::string& path = "");
};

/// Records when the calling unit enters and leaves the states of a context.
/// \threads externally synchronized per object
/// \ingroup utilities
class DASH_API Trace {
 public:
  /// \collective over Team::All(), if recording is enabled: ends with a barrier
  explicit Trace(const std::string& context = "global");

  /// Stores the current time as the beginning of a state, if events are recorded by TraceStore or
  /// because of DART_TRACE.
  void enter_state(const std::string& state);
  /// Without effect if the state was not entered, or entered while recording was disabled.
  void exit_state(const std::string& state);

 private:
  std::string _context;
  std::map<std::string, std::uint64_t> _begin_ns;  // of each state that was entered
};

}  // namespace dash::util
