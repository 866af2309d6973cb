#include "Summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "Format.h"

namespace dash::trace {

namespace {

constexpr std::size_t max_waits = 10;
/// The maximum delay from the end of an operation to the end of the wait that it ended; for long waits, a tenth of the
/// wait.
constexpr Time max_delay = 100'000;
/// The number of operations, from the last one backwards, among which find_end_of_wait() searches.
constexpr int max_candidates = 10'000;

bool is_transfer(Category category) noexcept {
  return category == Category::operation || category == Category::copy;
}

/// Calls f(time, nbytes, name, category, finished) for each operation of a unit that overlaps the range, including
/// blocking ones. Spans of category `copy` are chunks of copies, not operations.
template <class F>
void for_each_operation(const Unit& unit, const Interval& range, F f) {
  const auto visit = [&](const auto& event, bool finished) {
    const Interval time = intersection(event.time, range);
    const bool inside = event.time.begin >= range.begin && event.time.begin < range.end;
    if (inside || time.length() != 0) f(time, event.nbytes, event.name, event.category, finished);
  };
  for (const Flight& flight : unit.flights) {
    if (is_transfer(flight.category) || flight.category == Category::collective)
      visit(flight, flight.finished);
  }
  for (const Thread& thread : unit.threads) {
    for (const Span& span : thread.spans) {
      if (span.category == Category::operation || span.category == Category::collective)
        visit(span, true);
    }
  }
}

Overlap overlap_of(const TimeSet& flights, const Activity& activity) {
  Overlap overlap;
  overlap.in_flight = flights.length();
  overlap.hidden = (flights & activity.computing).length();
  overlap.exposed = overlap.in_flight - overlap.hidden;
  overlap.exposed_waits = (flights & activity.waiting).length();
  return overlap;
}

/// The time in which transfers, or collectives, of a unit are in flight, including blocking ones.
TimeSet in_flight(const Unit& unit, const Activity& activity, bool collectives) {
  std::vector<Interval> times;
  for_each_operation(unit, activity.range,
                     [&](const Interval& time, std::uint64_t /*nbytes*/, std::uint32_t /*name*/,
                         Category category, bool /*finished*/) {
                       if ((category == Category::collective) == collectives) times.push_back(time);
                     });
  return TimeSet(std::move(times));
}

void add_operations(const Timeline& timeline, const Unit& unit, const Activity& activity,
                    UnitSummary& summary) {
  struct Operations {
    OperationSummary summary;
    std::vector<Interval> times;
  };
  std::map<std::pair<bool, std::uint32_t>, Operations> by_name;
  for_each_operation(unit, activity.range,
                     [&](const Interval& time, std::uint64_t nbytes, std::uint32_t name,
                         Category category, bool finished) {
                       const bool collective = category == Category::collective;
                       Operations& same = by_name[{collective, name}];
                       ++same.summary.count;
                       same.summary.nbytes += nbytes;
                       same.times.push_back(time);
                       if (!finished) ++summary.unfinished;
                     });
  for (auto& [key, same] : by_name) {
    same.summary.collective = key.first;
    same.summary.name = timeline.names[key.second];
    same.summary.overlap = overlap_of(TimeSet(std::move(same.times)), activity);
    summary.operations.push_back(std::move(same.summary));
  }
}

bool precedes(const OperationSummary& a, const OperationSummary& b) {
  return std::tie(a.collective, a.name) < std::tie(b.collective, b.name);
}

void add_threads(const Timeline& timeline, const Unit& unit, const Activity& activity,
                 UnitSummary& summary) {
  for (std::size_t i = 0; i < unit.threads.size(); ++i) {
    const bool is_progress = activity.roles[i] == Role::progress;
    for (const Segment& segment : activity.threads[i]) {
      if (segment.state == State::task) summary.in_tasks += segment.time.length();
    }
    for (const Span& span : unit.threads[i].spans) {
      if (span.time.begin < activity.range.begin || span.time.begin >= activity.range.end) continue;
      const Time length = intersection(span.time, activity.range).length();
      if (span.category == Category::task) ++summary.tasks;
      if (span.category == Category::copy) {
        ++summary.chunks;
        if (is_progress) ++summary.chunks_by_progress;
      }
      if (span.category != Category::progress || !is_progress) continue;
      if (is_sleep(timeline.names[span.name])) {
        summary.sleeping += length;
      } else {
        ++summary.polls;
        summary.polling += length;
      }
    }
  }
  for (const Flight& flight : unit.flights) {
    const Time length = intersection(flight.time, activity.range).length();
    if (flight.category != Category::task || length == 0) continue;
    ++summary.suspensions;
    summary.suspended += length;
  }
}

UnitSummary summarize_unit(const Timeline& timeline, const SelectedUnit& selected) {
  const Unit& unit = *selected.unit;
  const Activity& activity = selected.activity;
  UnitSummary summary;
  summary.id = unit.id;
  summary.dropped = unit.dropped;
  summary.time = activity.range.length();
  summary.computing = activity.computing.length();
  summary.waiting = activity.waiting.length();
  summary.in_calls = summary.time - summary.computing - summary.waiting;
  summary.transfers = overlap_of(in_flight(unit, activity, false), activity);
  summary.collectives = overlap_of(in_flight(unit, activity, true), activity);
  add_operations(timeline, unit, activity, summary);
  add_threads(timeline, unit, activity, summary);
  std::sort(summary.operations.begin(), summary.operations.end(), precedes);
  return summary;
}

void add(UnitSummary& total, const UnitSummary& unit) {
  for (const auto member : {&UnitSummary::time, &UnitSummary::computing, &UnitSummary::waiting,
                            &UnitSummary::in_calls, &UnitSummary::in_tasks, &UnitSummary::suspended,
                            &UnitSummary::polling, &UnitSummary::sleeping})
    total.*member += unit.*member;
  for (const auto member :
       {&UnitSummary::tasks, &UnitSummary::suspensions, &UnitSummary::polls, &UnitSummary::chunks,
        &UnitSummary::chunks_by_progress, &UnitSummary::unfinished, &UnitSummary::dropped})
    total.*member += unit.*member;
  total.transfers += unit.transfers;
  total.collectives += unit.collectives;
  for (const OperationSummary& added : unit.operations) {
    const auto same = std::find_if(
        total.operations.begin(), total.operations.end(), [&](const OperationSummary& other) {
          return other.collective == added.collective && other.name == added.name;
        });
    if (same == total.operations.end()) {
      total.operations.push_back(added);
      continue;
    }
    same->count += added.count;
    same->nbytes += added.nbytes;
    same->overlap += added.overlap;
  }
  std::sort(total.operations.begin(), total.operations.end(), precedes);
}

/// The operation that ended a wait: the last one whose end precedes the end of the wait by at most max_delay. Null if
/// there is none.
const Flight* find_end_of_wait(const Wait& wait, const std::vector<Flight>& flights) {
  if (wait.collective) return nullptr;
  const Flight* last = nullptr;
  auto at = std::partition_point(flights.begin(), flights.end(), [&](const Flight& flight) {
    return flight.time.begin < wait.time.end;
  });
  for (int i = 0; i < max_candidates && at != flights.begin(); ++i) {
    const Flight& flight = *--at;
    if (!is_transfer(flight.category) || !flight.finished) continue;
    if (flight.time.end < wait.time.begin || flight.time.end > wait.time.end) continue;
    if (last == nullptr || flight.time.end > last->time.end) last = &flight;
  }
  const Time delay = std::max(max_delay, wait.time.length() / 10);
  return last != nullptr && wait.time.end - last->time.end <= delay ? last : nullptr;
}

std::string describe(const Timeline& timeline, const Flight& flight) {
  std::string text = timeline.names[flight.name];
  if (flight.nbytes != 0) text += " of " + format_bytes(flight.nbytes);
  if (flight.peer >= 0) text += fmt::format(", unit {}", flight.peer);
  return text;
}

std::string describe(const Timeline& timeline, const Unit& unit, const Wait& wait) {
  std::string text = timeline.names[wait.name];
  if (wait.call != wait.name) text += " in " + timeline.names[wait.call];
  if (const Flight* const flight = find_end_of_wait(wait, unit.flights))
    text += fmt::format(", until {}", describe(timeline, *flight));
  return text;
}

std::vector<LongWait> find_longest_waits(const Timeline& timeline,
                                         const std::vector<SelectedUnit>& units) {
  std::vector<std::pair<const SelectedUnit*, const Wait*>> all;
  for (const SelectedUnit& selected : units) {
    for (const Wait& wait : selected.activity.waits)
      all.emplace_back(&selected, &wait);
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(all.size(), max_waits));
  std::partial_sort(all.begin(), all.begin() + count, all.end(), [](const auto& a, const auto& b) {
    const Time x = a.second->time.length();
    const Time y = b.second->time.length();
    return std::tie(y, a.first->unit->id, a.second->time.begin) <
           std::tie(x, b.first->unit->id, b.second->time.begin);
  });
  std::vector<LongWait> longest;
  for (auto at = all.begin(); at != all.begin() + count; ++at) {
    const auto& [selected, wait] = *at;
    longest.push_back({selected->unit->id, wait->time,
                       name_of_thread(*selected->unit, selected->activity, wait->thread),
                       describe(timeline, *selected->unit, *wait)});
  }
  return longest;
}

void add_warnings(const Timeline& timeline, Summary& summary) {
  if (timeline.units.size() < timeline.units_started) {
    summary.warnings.push_back(fmt::format("the program had {}, but only {} wrote their events",
                                           format_count(timeline.units_started, "unit"),
                                           format_count(timeline.units.size())));
  }
  if (summary.total.dropped != 0) {
    summary.warnings.push_back(fmt::format("{} at the end were not recorded: the buffer was full",
                                           format_count(summary.total.dropped, "event")));
  }
  if (summary.total.unfinished != 0) {
    summary.warnings.push_back(
        fmt::format("the end of {} was not recorded: in flight until the last event",
                    format_count(summary.total.unfinished, "operation")));
  }
}

}  // namespace

Overlap& Overlap::operator+=(const Overlap& other) noexcept {
  in_flight += other.in_flight;
  hidden += other.hidden;
  exposed += other.exposed;
  exposed_waits += other.exposed_waits;
  return *this;
}

std::vector<SelectedUnit> select(const Timeline& timeline, const Selection& selection) {
  std::vector<SelectedUnit> selected;
  for (const int id : selection.units) {
    const bool found = std::any_of(timeline.units.begin(), timeline.units.end(),
                                   [=](const Unit& unit) { return unit.id == id; });
    if (!found) {
      throw Error(fmt::format("there is no unit {}: the timeline has {}, {} to {}", id,
                              format_count(timeline.units.size(), "unit"),
                              timeline.units.front().id, timeline.units.back().id));
    }
  }
  bool any_time = false;
  bool any_time_without_window = false;
  for (const Unit& unit : timeline.units) {
    if (!selection.units.empty() &&
        !std::binary_search(selection.units.begin(), selection.units.end(), unit.id))
      continue;
    selected.push_back({&unit, activity_of(unit, selection.window)});
    any_time |= selected.back().activity.range.length() != 0;
    any_time_without_window |= recorded_time(unit).length() != 0;
  }
  if (!any_time && any_time_without_window)
    throw Error("no event was recorded between the given times");
  return selected;
}

Summary summarize(const Timeline& timeline, const std::vector<SelectedUnit>& units) {
  Summary summary;
  summary.total.id = UnitSummary::all_units;
  bool first = true;
  for (const SelectedUnit& selected : units) {
    summary.units.push_back(summarize_unit(timeline, selected));
    add(summary.total, summary.units.back());
    const Interval& range = selected.activity.range;
    if (range.length() == 0) continue;
    if (first) summary.range = range;
    first = false;
    summary.range = {std::min(summary.range.begin, range.begin),
                     std::max(summary.range.end, range.end)};
  }
  summary.longest_waits = find_longest_waits(timeline, units);
  add_warnings(timeline, summary);
  return summary;
}

}  // namespace dash::trace
