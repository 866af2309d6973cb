#include "HotSpots.h"

#include <fmt/format.h>

#include <algorithm>

#include "Words.h"

namespace dash::trace {

namespace {

constexpr std::size_t most_spots = 600;

struct Candidate {
  std::size_t unit;
  LaneKind lane;
  Interval time;
  const Wait* wait;  // one of the three
  const Flight* flight;
  const Span* span;
};

class Candidates {
 public:
  explicit Candidates(Time least) : _least(least) {}

  void offer(const Candidate& candidate) {
    if (candidate.time.length() < std::max<Time>(_least, 1)) return;
    _all.push_back(candidate);
    if (_all.size() >= 16 * most_spots) keep_longest();
  }

  std::vector<Candidate> longest() {
    keep_longest();
    std::stable_sort(_all.begin(), _all.end(), longer);
    return std::move(_all);
  }

 private:
  static bool longer(const Candidate& a, const Candidate& b) {
    return a.time.length() > b.time.length();
  }

  void keep_longest() {
    if (_all.size() <= most_spots) return;
    std::nth_element(_all.begin(), _all.begin() + most_spots, _all.end(), longer);
    _all.resize(most_spots, {});
  }

  Time _least;
  std::vector<Candidate> _all;
};

LaneKind lane_of_thread(const SelectedUnit& unit, std::size_t thread) {
  return unit.activity.roles[thread] == Role::main ? LaneKind::main : LaneKind::others;
}

void offer_all(Candidates& candidates, const SelectedUnit& unit, std::size_t index) {
  const Interval& range = unit.activity.range;
  for (const Wait& wait : unit.activity.waits)
    candidates.offer(
        {index, lane_of_thread(unit, wait.thread), wait.time, &wait, nullptr, nullptr});
  for (const Flight& flight : unit.unit->flights) {
    if (flight.category == Category::task || flight.category == Category::call ||
        flight.category == Category::wait)
      continue;
    candidates.offer(
        {index, LaneKind::flights, intersection(flight.time, range), nullptr, &flight, nullptr});
  }
  for (std::size_t thread = 0; thread < unit.unit->threads.size(); ++thread) {
    for (const Span& span : unit.unit->threads[thread].spans) {
      const Interval time = intersection(span.time, range);
      if (span.category == Category::task) {
        candidates.offer({index, lane_of_thread(unit, thread), time, nullptr, nullptr, &span});
      } else if (span.category == Category::operation || span.category == Category::collective) {
        candidates.offer({index, LaneKind::flights, time, nullptr, nullptr, &span});
      }
    }
  }
}

std::string tip_of(const Timeline& timeline, const Unit& unit, const Candidate& candidate) {
  std::string what;
  if (candidate.wait != nullptr) what = describe(timeline, unit, *candidate.wait);
  if (candidate.flight != nullptr) what = describe(timeline, *candidate.flight);
  if (candidate.span != nullptr) {
    const Span& span = *candidate.span;
    what = describe(timeline, Flight{span.time, span.nbytes, span.name, span.peer, span.category});
  }
  return fmt::format("unit {}: {}\n{} from {} on", unit.id, what,
                     time_in_words(candidate.time.length()), moment_in_words(candidate.time.begin));
}

}  // namespace

std::vector<HotSpot> find_hot_spots(const Timeline& timeline,
                                    const std::vector<SelectedUnit>& units, Time least) {
  Candidates candidates(least);
  for (std::size_t i = 0; i < units.size(); ++i)
    offer_all(candidates, units[i], i);
  std::vector<HotSpot> spots;
  for (const Candidate& candidate : candidates.longest()) {
    spots.push_back({candidate.unit, candidate.lane, candidate.time,
                     tip_of(timeline, *units[candidate.unit].unit, candidate)});
  }
  return spots;
}

}  // namespace dash::trace
