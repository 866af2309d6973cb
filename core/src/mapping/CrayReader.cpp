// Places of Cray nodes: c<column>-<row>c<chassis>s<slot>n<node>, alone or in the table that
// xtprocadmin prints. Nodes hang from slots, those from chassis, cabinets and rows.

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

struct Place {
  std::uint32_t column = 0;
  std::uint32_t row = 0;
  std::uint32_t chassis = 0;
  std::uint32_t slot = 0;
  std::uint32_t node = 0;

  auto in_order() const { return std::tuple(row, column, chassis, slot, node); }
  std::string cabinet_name() const {
    return "c" + std::to_string(column) + "-" + std::to_string(row);
  }
  std::string chassis_name() const { return cabinet_name() + "c" + std::to_string(chassis); }
  std::string slot_name() const { return chassis_name() + "s" + std::to_string(slot); }
};

std::optional<Place> place_of(std::string_view text) {
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
  return Place{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

struct Found {
  Place place;
  std::string name;
  std::string alias;
  const TextLine* line;
};

/// The host name of a node that a table names by number, or by the host name itself.
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
    "places of nodes as c0-0c0s0n0, or a line as '4 0x4 c0-0c0s1n0 compute up batch'";

/// "NID HEX NODENAME TYPE STATUS MODE", of which the columns from HEX on may be missing.
void read_row(const TextLine& line, std::vector<Found>& found) {
  const std::string host = host_name(line.words.front());
  if (host.empty()) line.refuse(line.words.front(), expected);
  std::size_t column = 1;
  while (column < line.words.size() && !place_of(line.words[column]))
    ++column;
  if (column > 2 || column == line.words.size()) line.refuse(line.words.back(), expected);
  const bool is_service = column + 1 < line.words.size() && line.words[column + 1] == "service";
  if (is_service) return;
  found.push_back({*place_of(line.words[column]), host, std::string(line.words[column]), &line});
}

void read_places(const TextLine& line, std::vector<Found>& found) {
  for (const std::string_view word : line.words) {
    for (const std::string_view part : split(word, ',')) {
      const auto place = place_of(part);
      if (!place) line.refuse(part, expected);
      found.push_back({*place, std::string(part), "", &line});
    }
  }
}

/// Switches by name, made where they are missing.
class Cabinets {
 public:
  void add(const Found& found) {
    const Place& place = found.place;
    const std::uint32_t row = hung("row " + std::to_string(place.row), Switch::none);
    const std::uint32_t cabinet = hung(place.cabinet_name(), row);
    const std::uint32_t chassis = hung(place.chassis_name(), cabinet);
    const std::uint32_t slot = hung(place.slot_name(), chassis);
    if (_machine.find_exactly(found.name)) found.line->refuse(found.name, "each node once");
    if (_machine.find_exactly(found.alias)) found.line->refuse(found.alias, "each place once");
    _machine.add_node({found.name, found.alias, slot, 0, 1});
  }

  Machine take() {
    _machine.set_level_names({"slot", "chassis", "cabinet", "row", "machine"});
    return std::move(_machine);
  }

 private:
  std::uint32_t hung(const std::string& name, std::uint32_t parent) {
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
    return place_of(split(word, ',').front()).has_value();
  });
}

Machine read_cray(const TextLines& text) {
  std::vector<Found> found;
  for (const TextLine& line : text.lines()) {
    if (is_heading(line)) continue;
    if (place_of(split(line.words.front(), ',').front())) {
      read_places(line, found);
    } else {
      read_row(line, found);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.place.in_order() < b.place.in_order();
  });
  Cabinets cabinets;
  for (const Found& each : found)
    cabinets.add(each);
  return cabinets.take();
}

}  // namespace dash::core::mapping
