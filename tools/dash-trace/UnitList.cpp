#include "UnitList.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "Timeline.h"

namespace dash::trace {

namespace {

constexpr int max_units = 1'000'000;

/// Removes a number from the beginning of the text. Returns -1 if the text does not begin with one.
int remove_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number >= max_units) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Removes a character from the beginning of the text, if it is there.
bool remove(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::vector<int> parse_units(const std::string& text) {
  std::vector<int> units;
  std::string_view rest = text;
  while (!rest.empty()) {
    const int first = remove_number(rest);
    const int last = remove(rest, '-') ? remove_number(rest) : first;
    const bool has_comma = remove(rest, ',');
    if (first < 0 || last < first || has_comma == rest.empty())
      throw Error(fmt::format("'{}' is not a list of units such as 0-3,8", text));
    for (int unit = first; unit <= last; ++unit)
      units.push_back(unit);
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

}  // namespace dash::trace
