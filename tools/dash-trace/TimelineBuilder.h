#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "Timeline.h"

namespace dash::trace {

/// The members of an event that dash-trace uses, as far as they have been read.
struct RawEvent {
  std::string name;
  std::string category;
  std::string phase;
  std::string id;
  std::string text;  // args.name
  std::optional<double> ts_us;
  std::optional<double> dur_us;
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> tid;
  std::uint64_t nbytes = 0;
  std::uint64_t count = 0;  // args.units, args.events
  std::int32_t peer = -1;

  void clear() {
    for (std::string* each : {&name, &category, &phase, &id, &text})
      each->clear();
    ts_us = dur_us = std::nullopt;
    pid = tid = std::nullopt;
    nbytes = count = 0;
    peer = -1;
  }
};

/// The begin or the end of a flight.
struct FlightEvent {
  std::uint32_t id;
  Category category;
  bool is_end;
  std::int32_t peer;
  std::uint32_t name;
  Time time;
  std::uint64_t nbytes;
};

/// Builds a timeline from the events of a file.
class TimelineBuilder {
 public:
  /// \param number  position of the event in the file, from 1
  /// \throws Error if the event is malformed
  void add(const RawEvent& event, std::uint64_t number);

  /// The timeline of all events that were added. Leaves the builder empty.
  Timeline finish();

 private:
  struct PartialUnit {
    Unit unit;
    std::vector<FlightEvent> flight_events;
  };

  [[noreturn]] void fail(const std::string& problem) const;
  template <class T>
  T required(const std::optional<T>& member, const char* name) const;
  Time nanoseconds(double us) const;

  void add_header(const RawEvent& event);
  void add_metadata(const RawEvent& event);
  PartialUnit& unit(const RawEvent& event);
  Thread& thread(const RawEvent& event);
  std::uint32_t intern(const std::string& name);
  std::uint32_t id(const std::string& text);
  static void join_flight_events(PartialUnit& partial);
  static void end_unfinished(Unit& unit);

  Timeline _timeline;
  std::map<int, PartialUnit> _units;
  std::unordered_map<std::string, std::uint32_t> _names;
  std::unordered_map<std::string, std::uint32_t> _ids;
  std::uint64_t _number = 0;
};

}  // namespace dash::trace
