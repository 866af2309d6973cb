#include "UnitList.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "Timeline.h"

namespace dash::trace {

namespace {

constexpr int most_units = 1'000'000;

/// The number at the beginning, which is taken off; -1 if there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number >= most_units) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::vector<int> parse_units(const std::string& text) {
  std::vector<int> units;
  std::string_view rest = text;
  while (!rest.empty()) {
    const int first = take_number(rest);
    const int last = take(rest, '-') ? take_number(rest) : first;
    const bool more = take(rest, ',');
    if (first < 0 || last < first || more == rest.empty())
      throw Error(fmt::format("'{}' is no list of units, as 0-3,8 is", text));
    for (int unit = first; unit <= last; ++unit)
      units.push_back(unit);
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

}  // namespace dash::trace
