#include "TimelineBuilder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

namespace dash::trace {

namespace {

constexpr std::array<std::string_view, 7> category_names{
    "call", "wait", "operation", "collective", "copy", "progress", "task"};

}  // namespace

void TimelineBuilder::fail(const std::string& problem) const {
  throw Error(fmt::format("event {} {}", _number, problem));
}

template <class T>
T TimelineBuilder::required(const std::optional<T>& member, const char* name) const {
  if (!member) fail(fmt::format("has no '{}'", name));
  return *member;
}

Time TimelineBuilder::nanoseconds(double us) const {
  // Larger values, of more than a century, would overflow in the conversion.
  if (!(std::abs(us) < 4e15)) fail("has an invalid time");
  return std::llround(us * 1e3);
}

void TimelineBuilder::add(const RawEvent& event, std::uint64_t number) {
  _number = number;
  if (number == 1) return add_header(event);
  if (event.phase == "M") return add_metadata(event);
  const auto known = std::find(category_names.begin(), category_names.end(), event.category);
  if (known == category_names.end()) return;  // an event of another tool
  const auto category = static_cast<Category>(known - category_names.begin());
  ++_timeline.events;
  if (event.phase == "X") {
    const Time begin = nanoseconds(required(event.ts_us, "ts"));
    const Time length = nanoseconds(required(event.dur_us, "dur"));
    if (length < 0) fail("has a negative duration");
    thread(event).spans.push_back(
        {{begin, begin + length}, event.nbytes, intern(event.name), event.peer, category});
  } else if (event.phase == "b" || event.phase == "e") {
    if (event.id.empty()) fail("has no 'id2', which phases b and e need");
    unit(event).flight_events.push_back({id(event.id), category, event.phase == "e", event.peer,
                                         intern(event.name),
                                         nanoseconds(required(event.ts_us, "ts")), event.nbytes});
  }
}

Timeline TimelineBuilder::finish() {
  for (auto& [id, partial] : _units) {
    for (Thread& each : partial.unit.threads) {
      // A span is recorded at its end. So of two with the same times the outer one is recorded later; it must
      // precede the inner one.
      std::reverse(each.spans.begin(), each.spans.end());
      std::stable_sort(each.spans.begin(), each.spans.end(), [](const Span& a, const Span& b) {
        return std::tie(a.time.begin, b.time.end) < std::tie(b.time.begin, a.time.end);
      });
    }
    join_flight_events(partial);
    _timeline.units.push_back(std::move(partial.unit));
  }
  return std::move(_timeline);
}

void TimelineBuilder::add_header(const RawEvent& event) {
  if (event.phase != "M" || event.name != "units") {
    throw Error("is JSON, but not a timeline of DART_TRACE: its first event is not 'units'");
  }
  _timeline.units_started = event.count;
}

void TimelineBuilder::add_metadata(const RawEvent& event) {
  if (event.name == "process_name") {
    unit(event);
  } else if (event.name == "thread_name") {
    thread(event).name = event.text;
  } else if (event.name == "dropped_events") {
    unit(event).unit.dropped = event.count;
  }
}

TimelineBuilder::PartialUnit& TimelineBuilder::unit(const RawEvent& event) {
  const std::int64_t number = required(event.pid, "pid");
  if (number < 0 || number > 10'000'000) fail("has a 'pid' that is not a unit");
  PartialUnit& found = _units[static_cast<int>(number)];
  found.unit.id = static_cast<int>(number);
  return found;
}

Thread& TimelineBuilder::thread(const RawEvent& event) {
  std::vector<Thread>& threads = unit(event).unit.threads;
  const std::int64_t number = required(event.tid, "tid");
  if (number < 0 || number > 100'000) fail("has a 'tid' that is not a thread");
  const auto index = static_cast<std::size_t>(number);
  if (index >= threads.size()) threads.resize(index + 1);
  return threads[index];
}

std::uint32_t TimelineBuilder::intern(const std::string& name) {
  const auto [at, is_new] =
      _names.try_emplace(name, static_cast<std::uint32_t>(_timeline.names.size()));
  if (is_new) _timeline.names.push_back(name);
  return at->second;
}

std::uint32_t TimelineBuilder::id(const std::string& text) {
  return _ids.try_emplace(text, static_cast<std::uint32_t>(_ids.size())).first->second;
}

/// Ids are reused, but never for two flights at a time: the n-th begin of an id belongs to its n-th end.
void TimelineBuilder::join_flight_events(PartialUnit& partial) {
  std::vector<FlightEvent>& events = partial.flight_events;
  std::stable_sort(events.begin(), events.end(), [](const FlightEvent& a, const FlightEvent& b) {
    return std::tie(a.category, a.id, a.is_end, a.time) <
           std::tie(b.category, b.id, b.is_end, b.time);
  });
  for (auto at = events.begin(); at != events.end();) {
    const auto same = [&](const FlightEvent& event) {
      return event.category == at->category && event.id == at->id;
    };
    const auto last = std::find_if_not(at, events.end(), same);
    auto end = std::find_if(at, last, [](const FlightEvent& event) { return event.is_end; });
    const auto ends = end;
    for (auto begin = at; begin != ends; ++begin) {
      while (end != last && end->time < begin->time)
        ++end;  // its begin was not recorded
      const bool finished = end != last;
      partial.unit.flights.push_back({{begin->time, finished ? (end++)->time : begin->time},
                                      begin->nbytes,
                                      begin->name,
                                      begin->peer,
                                      begin->category,
                                      finished});
    }
    at = last;
  }
  events.clear();
  events.shrink_to_fit();
  end_unfinished(partial.unit);
}

void TimelineBuilder::end_unfinished(Unit& unit) {
  Time last = 0;
  for (const Thread& thread : unit.threads) {
    for (const Span& span : thread.spans)
      last = std::max(last, span.time.end);
  }
  for (const Flight& flight : unit.flights)
    last = std::max(last, flight.time.end);
  for (Flight& flight : unit.flights) {
    if (!flight.finished) flight.time.end = last;
  }
  std::sort(unit.flights.begin(), unit.flights.end(), [](const Flight& a, const Flight& b) {
    return std::tie(a.time.begin, a.time.end) < std::tie(b.time.begin, b.time.end);
  });
}

}  // namespace dash::trace
