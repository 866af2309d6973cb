// Reader of the locations of Cray nodes, c<column>-<row>c<chassis>s<slot>n<node>, as a list or in the table
// that xtprocadmin prints. The hierarchy is node, slot, chassis, cabinet, row.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "Readers.h"

namespace dash::core::mapping {

namespace {

struct Location {
  std::uint32_t column = 0;
  std::uint32_t row = 0;
  std::uint32_t chassis = 0;
  std::uint32_t slot = 0;
  std::uint32_t node = 0;

  auto sort_key() const { return std::tuple(row, column, chassis, slot, node); }
  std::string cabinet_name() const {
    return "c" + std::to_string(column) + "-" + std::to_string(row);
  }
  std::string chassis_name() const { return cabinet_name() + "c" + std::to_string(chassis); }
  std::string slot_name() const { return chassis_name() + "s" + std::to_string(slot); }
};

std::optional<Location> parse_location(std::string_view text) {
  constexpr std::array<char, 5> before{'c', '-', 'c', 's', 'n'};
  std::array<std::uint32_t, 5> numbers{};
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (text.empty() || text.front() != before[i]) return std::nullopt;
    text.remove_prefix(1);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (!parse_number(text.substr(0, digits), numbers[i])) return std::nullopt;
    text.remove_prefix(digits);
  }
  if (!text.empty()) return std::nullopt;
  return Location{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

struct NodeEntry {
  Location location;
  std::string name;
  std::string alias;
  const TextLine* line;
};

/// The host name of a node in a table, which contains its number or its host name.
std::string host_name(std::string_view word) {
  std::uint32_t number = 0;
  if (word.starts_with("nid") && parse_number(word.substr(3), number)) return std::string(word);
  if (!parse_number(word, number)) return {};
  std::string digits = std::to_string(number);
  if (digits.size() < 5) digits.insert(0, 5 - digits.size(), '0');
  return "nid" + digits;
}

bool is_heading(const TextLine& line) {
  return std::find(line.words.begin(), line.words.end(), "NODENAME") != line.words.end();
}

constexpr std::string_view expected =
    "locations of nodes such as c0-0c0s0n0, or a line such as '4 0x4 c0-0c0s1n0 compute up batch'";

/// "NID HEX NODENAME TYPE STATUS MODE", where the columns from HEX on may be missing.
void read_row(const TextLine& line, std::vector<NodeEntry>& found) {
  const std::string host = host_name(line.words.front());
  if (host.empty()) line.refuse(line.words.front(), expected);
  std::size_t column = 1;
  while (column < line.words.size() && !parse_location(line.words[column]))
    ++column;
  if (column > 2 || column == line.words.size()) line.refuse(line.words.back(), expected);
  const bool is_service = column + 1 < line.words.size() && line.words[column + 1] == "service";
  if (is_service) return;
  found.push_back(
      {*parse_location(line.words[column]), host, std::string(line.words[column]), &line});
}

void read_locations(const TextLine& line, std::vector<NodeEntry>& found) {
  for (const std::string_view word : line.words) {
    for (const std::string_view part : split(word, ',')) {
      const auto location = parse_location(part);
      if (!location) line.refuse(part, expected);
      found.push_back({*location, std::string(part), "", &line});
    }
  }
}

/// Builds the machine; adds switches on demand.
class Cabinets {
 public:
  void add(const NodeEntry& found) {
    const Location& location = found.location;
    const std::uint32_t row = switch_below("row " + std::to_string(location.row), Switch::none);
    const std::uint32_t cabinet = switch_below(location.cabinet_name(), row);
    const std::uint32_t chassis = switch_below(location.chassis_name(), cabinet);
    const std::uint32_t slot = switch_below(location.slot_name(), chassis);
    if (_machine.find_exactly(found.name)) found.line->refuse(found.name, "each node once");
    if (_machine.find_exactly(found.alias)) found.line->refuse(found.alias, "each location once");
    _machine.add_node({found.name, found.alias, slot, 0, 1});
  }

  Machine take() {
    _machine.set_level_names({"slot", "chassis", "cabinet", "row", "machine"});
    return std::move(_machine);
  }

 private:
  std::uint32_t switch_below(const std::string& name, std::uint32_t parent) {
    if (const auto known = _machine.find_switch(name)) return *known;
    const std::uint32_t index = _machine.add_switch(name);
    if (parent != Switch::none) _machine.set_parent(index, parent);
    return index;
  }

  Machine _machine;
};

}  // namespace

bool is_cray(const TextLine& line) {
  if (is_heading(line)) return true;
  return std::any_of(line.words.begin(), line.words.end(), [](std::string_view word) {
    return parse_location(split(word, ',').front()).has_value();
  });
}

Machine read_cray(const TextLines& text) {
  std::vector<NodeEntry> found;
  for (const TextLine& line : text.lines()) {
    if (is_heading(line)) continue;
    if (parse_location(split(line.words.front(), ',').front())) {
      read_locations(line, found);
    } else {
      read_row(line, found);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const NodeEntry& a, const NodeEntry& b) {
    return a.location.sort_key() < b.location.sort_key();
  });
  Cabinets cabinets;
  for (const NodeEntry& each : found)
    cabinets.add(each);
  return cabinets.take();
}

}  // namespace dash::core::mapping
