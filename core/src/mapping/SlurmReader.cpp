// Reader of Slurm's topology.conf: switches of the tree plugin and blocks of the block plugin.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "Readers.h"

namespace dash::core::mapping {

namespace {

constexpr std::string_view expected =
    "SwitchName=, BlockName=, Nodes=, Switches=, LinkSpeed= or BlockSizes=";

/// One line: a switch and its children.
struct Entry {
  const TextLine* line;
  std::uint32_t index;
  std::string_view switches;
};

class Reader {
 public:
  explicit Reader(const TextLines& text) {
    for (const TextLine& line : text.lines())
      read(line);
    // A line may refer to switches of later lines.
    for (const Entry& entry : _entries)
      link_children(entry);
  }

  Machine take() { return std::move(_machine); }

 private:
  void read(const TextLine& line) {
    std::string name;
    std::string_view nodes;
    std::string_view switches;
    double speed = 0;
    for (const KeyValue& each : key_values(line, 0, expected)) {
      if (each.key == "switchname" || each.key == "blockname") {
        name = each.value;
      } else if (each.key == "nodes") {
        nodes = each.value;
      } else if (each.key == "switches") {
        switches = each.value;
      } else if (each.key == "linkspeed") {
        speed = positive_number(line, each.value, "the speed of a link");
      } else if (each.key == "blocksizes") {
        if (line.words.size() == 1) return;  // describes allocations, not the network
        line.refuse(each.word, "BlockSizes= in a separate line");
      } else {
        line.refuse(each.word, expected);
      }
    }
    if (name.empty()) line.refuse(line.words.front(), "SwitchName= or BlockName= in the line");
    if (_machine.find_switch(name)) line.refuse(name, "each switch once");
    if (nodes.empty() && switches.empty()) line.refuse(name, "Nodes= or Switches= after it");
    const std::uint32_t index = _machine.add_switch(name, speed);
    _entries.push_back({&line, index, switches});
    if (!nodes.empty()) add_nodes(line, index, nodes);
  }

  void add_nodes(const TextLine& line, std::uint32_t index, std::string_view list) {
    if (lower_case(list) == "all") line.refuse(list, "the nodes by name");
    for (std::string& name : host_list(line, list)) {
      if (const auto other = _machine.find_exactly(name)) {
        line.refuse(name, "each node once; it belongs to ",
                    _machine.switches()[_machine.node(*other).attachment].name);
      }
      _machine.add_node({std::move(name), "", index, 0, 1});
    }
  }

  void link_children(const Entry& entry) {
    if (entry.switches.empty()) return;
    for (const std::string& name : host_list(*entry.line, entry.switches)) {
      const auto child = _machine.find_switch(name);
      if (!child) entry.line->refuse(name, "a switch that has a line SwitchName=", name);
      const auto& all = _machine.switches();
      if (all[*child].parent != Switch::none)
        entry.line->refuse(name, "each switch once; it belongs to ", all[all[*child].parent].name);
      for (std::uint32_t above = entry.index; above != Switch::none; above = all[above].parent) {
        if (above == *child) entry.line->refuse(name, "a switch that is not above this one");
      }
      _machine.set_parent(*child, entry.index);
    }
  }

  Machine _machine;
  std::vector<Entry> _entries;
};

}  // namespace

bool is_slurm(const TextLine& line) {
  const std::string word = lower_case(line.words.front());
  return word.starts_with("switchname=") || word.starts_with("blockname=") ||
         word.starts_with("blocksizes=");
}

Machine read_slurm(const TextLines& text) {
  return Reader(text).take();
}

}  // namespace dash::core::mapping
