#include "Lanes.h"

#include <algorithm>
#include <array>

namespace dash::trace {

namespace {

// Colours that differ in lightness as well as in hue, for those who see fewer hues (after Okabe and
// Ito). Waiting and what it exposes have the same.
constexpr const char* own_colour = "#b5d3ee";
constexpr const char* task_colour = "#0072b2";
constexpr const char* call_colour = "#8a8a8a";
constexpr const char* wait_colour = "#d55e00";
constexpr const char* found_colour = "#333333";
constexpr const char* looks_colour = "#b4b4b4";
constexpr const char* asleep_colour = "#dfe3e6";
constexpr const char* hidden_colour = "#009e73";
constexpr const char* exposed_colour = wait_colour;
constexpr const char* collective_colour = "#e3a8cc";

bool is_main(const SelectedUnit& unit, std::size_t thread) {
  return unit.activity.roles[thread] == Role::main;
}

bool is_other(const SelectedUnit& unit, std::size_t thread) {
  const Role role = unit.activity.roles[thread];
  return role == Role::worker || role == Role::other;
}

std::vector<std::size_t> threads_of(const SelectedUnit& unit, LaneKind kind) {
  std::vector<std::size_t> threads;
  for (std::size_t i = 0; i < unit.activity.roles.size(); ++i) {
    const bool belongs = kind == LaneKind::main       ? is_main(unit, i)
                         : kind == LaneKind::others   ? is_other(unit, i)
                         : kind == LaneKind::progress ? unit.activity.roles[i] == Role::progress
                                                      : false;
    if (belongs) threads.push_back(i);
  }
  return threads;
}

void add(Lane& lane, const TimeSet& times, int state) {
  lane.columns.add(times, state);
  lane.times[static_cast<std::size_t>(state)] += times.length();
}

Lane empty_lane(const Interval& window, int ncolumns, std::vector<LaneState> states) {
  const int nstates = static_cast<int>(states.size());
  return {Columns(window, ncolumns, nstates), std::move(states),
          std::vector<Time>(static_cast<std::size_t>(nstates), 0)};
}

/// Threads of the application; several share the height.
Lane threads_lane(const SelectedUnit& unit, LaneKind kind, const Interval& window, int ncolumns) {
  Lane lane = empty_lane(window, ncolumns,
                         {{"waiting", wait_colour},
                          {"in calls", call_colour},
                          {"in tasks", task_colour},
                          {"computing", own_colour}});
  constexpr std::array<int, 4> place_of_state{3, 1, 0, 2};  // State::own, call, wait, task
  const std::vector<std::size_t> threads = threads_of(unit, kind);
  const double weight = 1.0 / static_cast<double>(std::max<std::size_t>(threads.size(), 1));
  for (const std::size_t thread : threads) {
    const auto add_time = [&](const Interval& time, State state) {
      const int place = place_of_state[static_cast<std::size_t>(state)];
      lane.columns.add(time, place, weight);
      lane.times[static_cast<std::size_t>(place)] += time.length();
    };
    std::vector<Interval> recorded;
    for (const Segment& segment : unit.activity.threads[thread]) {
      add_time(segment.time, segment.state);
      recorded.push_back(segment.time);
    }
    if (unit.activity.roles[thread] == Role::worker) continue;
    Interval alive = unit.activity.range;
    if (unit.activity.roles[thread] == Role::other) {
      const auto& segments = unit.activity.threads[thread];
      alive = segments.empty() ? Interval{}
                               : Interval{segments.front().time.begin, segments.back().time.end};
    }
    const TimeSet own = TimeSet({alive}) - TimeSet(std::move(recorded));
    for (const Interval& time : own.intervals())
      add_time(time, State::own);
  }
  return lane;
}

Lane progress_lane(const Timeline& timeline, const SelectedUnit& unit, const Interval& window,
                   int ncolumns) {
  Lane lane = empty_lane(window, ncolumns,
                         {{"progress thread finds something", found_colour},
                          {"progress thread looks", looks_colour},
                          {"progress thread sleeps", asleep_colour}});
  std::vector<Interval> found;
  std::vector<Interval> asleep;
  for (const std::size_t thread : threads_of(unit, LaneKind::progress)) {
    for (const Span& span : unit.unit->threads[thread].spans) {
      const Interval time = intersection(span.time, unit.activity.range);
      (timeline.names[span.name] == asleep_name ? asleep : found).push_back(time);
    }
  }
  const TimeSet busy(std::move(found));
  const TimeSet resting = TimeSet(std::move(asleep)) - busy;
  add(lane, busy, 0);
  add(lane, TimeSet({unit.activity.range}) - busy - resting, 1);
  add(lane, resting, 2);
  return lane;
}

Lane flights_lane(const SelectedUnit& unit, const Interval& window, int ncolumns) {
  Lane lane = empty_lane(window, ncolumns,
                         {{"exposed", exposed_colour},
                          {"hidden", hidden_colour},
                          {"in a collective", collective_colour}});
  const TimeSet transfers = in_flight(*unit.unit, unit.activity, false);
  const TimeSet collectives = in_flight(*unit.unit, unit.activity, true);
  add(lane, transfers - unit.activity.computing, 0);
  add(lane, transfers & unit.activity.computing, 1);
  add(lane, collectives - transfers, 2);
  return lane;
}

}  // namespace

std::vector<LaneKind> lanes_of(const SelectedUnit& unit) {
  std::vector<LaneKind> lanes;
  for (const LaneKind kind : {LaneKind::main, LaneKind::others, LaneKind::progress}) {
    if (!threads_of(unit, kind).empty()) lanes.push_back(kind);
  }
  lanes.push_back(LaneKind::flights);
  return lanes;
}

const char* name_of_lane(LaneKind kind) {
  switch (kind) {
    case LaneKind::main:
      return "main";
    case LaneKind::others:
      return "others";
    case LaneKind::progress:
      return "progress";
    default:
      return "in flight";
  }
}

Lane make_lane(const Timeline& timeline, const SelectedUnit& unit, LaneKind kind,
               const Interval& window, int ncolumns) {
  switch (kind) {
    case LaneKind::progress:
      return progress_lane(timeline, unit, window, ncolumns);
    case LaneKind::flights:
      return flights_lane(unit, window, ncolumns);
    default:
      return threads_lane(unit, kind, window, ncolumns);
  }
}

std::vector<std::vector<LegendGroup>> legend_lines() {
  const LegendGroup threads{"threads",
                            {{"computing", own_colour},
                             {"in tasks", task_colour},
                             {"in calls of the library", call_colour},
                             {"waiting", wait_colour}}};
  const LegendGroup progress{
      "progress thread",
      {{"finds something", found_colour}, {"looks", looks_colour}, {"sleeps", asleep_colour}}};
  const LegendGroup flights{"in flight",
                            {{"hidden", hidden_colour},
                             {"exposed", exposed_colour},
                             {"in a collective", collective_colour}}};
  return {{flights, threads}, {progress}};
}

}  // namespace dash::trace
