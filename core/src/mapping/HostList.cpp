#include <algorithm>
#include <cctype>
#include <utility>

#include "TextLines.h"
#include "dash/core/mapping/MachineFile.h"

namespace dash::core::mapping {

namespace {

/// Guards against a list like n[0-4000000000].
constexpr std::size_t max_names = 4'000'000;

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// Splits a list at commas outside of brackets.
std::vector<std::string_view> entries_of(std::string_view list) {
  std::vector<std::string_view> entries;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '[') ++depth;
    if (list[i] == ']') --depth;
    if (list[i] != ',' || depth > 0) continue;
    entries.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  entries.push_back(list.substr(begin));
  return entries;
}

/// The numbers in a pair of brackets, padded to the width of the first number of their range.
/// \returns an error message; empty if the ranges are valid
std::string numbers_of(std::string_view ranges, std::vector<std::string>& numbers) {
  for (const std::string_view range : split(ranges, ',')) {
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const std::string_view high = dash == std::string_view::npos ? low : range.substr(dash + 1);
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    if (!parse_number(low, first) || !parse_number(high, last))
      return quoted(range) + " is neither a number nor two with a '-'";
    if (last < first) return quoted(range) + " ends before it begins";
    if (last - first >= max_names - numbers.size()) return quoted(range) + " is too long";
    for (std::uint64_t number = first; number <= last; ++number) {
      std::string text = std::to_string(number);
      if (text.size() < low.size()) text.insert(0, low.size() - text.size(), '0');
      numbers.push_back(std::move(text));
    }
  }
  return {};
}

/// Expands one entry, which may have several pairs of brackets. \returns an error message; empty if it is
/// valid
std::string expand_entry(std::string_view entry, std::vector<std::string>& names) {
  std::vector<std::string> expanded{""};
  while (!entry.empty()) {
    const std::size_t open = std::min(entry.find('['), entry.size());
    const std::string_view plain = entry.substr(0, open);
    if (plain.find(']') != std::string_view::npos) return "a ']' without '['";
    for (std::string& name : expanded)
      name += plain;
    if (open == entry.size()) break;
    const std::size_t close = entry.find(']');
    if (close == std::string_view::npos) return "a '[' without ']'";
    std::vector<std::string> numbers;
    std::string wrong = numbers_of(entry.substr(open + 1, close - open - 1), numbers);
    if (!wrong.empty()) return wrong;
    if (numbers.size() > max_names / expanded.size()) return quoted(entry) + " is too long";
    std::vector<std::string> longer;
    longer.reserve(expanded.size() * numbers.size());
    for (const std::string& name : expanded) {
      for (const std::string& number : numbers)
        longer.push_back(name + number);
    }
    expanded = std::move(longer);
    entry.remove_prefix(close + 1);
  }
  if (names.size() + expanded.size() > max_names) return "more than 4 million names";
  names.insert(names.end(), std::make_move_iterator(expanded.begin()),
               std::make_move_iterator(expanded.end()));
  return {};
}

}  // namespace

std::string expand(std::string_view list, std::vector<std::string>& names) {
  for (const std::string_view entry : entries_of(list)) {
    if (entry.empty()) return "a name is missing before, after or between commas";
    std::string wrong = expand_entry(entry, names);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::vector<std::string> expand_hostlist(std::string_view list) {
  std::vector<std::string> names;
  const std::string wrong = expand(list, names);
  if (!wrong.empty()) fail("'", list, "': expected a list of hosts such as n[001-016,20]; ", wrong);
  return names;
}

}  // namespace dash::core::mapping
