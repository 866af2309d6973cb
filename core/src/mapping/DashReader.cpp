// Reader of the library's own format (docs/how-to/place-units.md).

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "Readers.h"
#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

namespace {

class Reader {
 public:
  explicit Reader(const TextLines& text) {
    for (const TextLine& line : text.lines())
      read(line);
  }

  Machine take() { return std::move(_machine); }

 private:
  void read(const TextLine& line) {
    const std::string_view keyword = line.words.front();
    if (!_has_heading) {
      heading(line);
    } else if (keyword == "levels") {
      _machine.set_level_names({line.words.begin() + 1, line.words.end()});
    } else if (keyword == "bandwidth") {
      bandwidth(line);
    } else if (keyword == "switch") {
      switches(line);
    } else if (keyword == "torus") {
      torus(line);
    } else if (keyword == "node") {
      nodes(line);
    } else {
      line.refuse(keyword, "levels, bandwidth, switch, torus or node");
    }
  }

  void heading(const TextLine& line) {
    if (line.words.front() != dash_heading || line.words.size() != 2 || line.words[1] != "1")
      line.refuse(line.words.back(), "'", dash_heading, " 1' in the first line");
    _has_heading = true;
  }

  void bandwidth(const TextLine& line) {
    constexpr std::string_view keys = "numa=NUMBER or node=NUMBER";
    double numa = _machine.numa_bandwidth();
    double node = _machine.node_bandwidth();
    for (const KeyValue& each : key_values(line, 1, keys)) {
      const double value = positive_number(line, each.value, "a bandwidth");
      if (each.key == "numa") {
        numa = value;
      } else if (each.key == "node") {
        node = value;
      } else {
        line.refuse(each.word, keys);
      }
    }
    _machine.set_link_bandwidths(numa, node);
  }

  std::vector<std::string> names(const TextLine& line) {
    if (line.words.size() < 2)
      line.refuse(line.words[0], "a name or a list such as n[001-016] after it");
    return host_list(line, line.words[1]);
  }

  /// The parent switches of `children` nodes or switches, which are divided among them evenly, in order.
  std::vector<std::uint32_t> parents(const TextLine& line, std::string_view list,
                                     std::size_t children) {
    std::vector<std::uint32_t> found;
    for (const std::string& name : host_list(line, list)) {
      const auto parent = _machine.find_switch(name);
      if (!parent) line.refuse(name, "a switch of an earlier line");
      found.push_back(*parent);
    }
    if (found.size() > children)
      line.refuse(list, "at most as many switches as there are names: ", children);
    return found;
  }

  void switches(const TextLine& line) {
    constexpr std::string_view keys = "in=SWITCHES or bandwidth=NUMBER";
    if (_machine.is_torus()) line.refuse(line.words[0], "no switches in a torus");
    const std::vector<std::string> list = names(line);
    double bandwidth = 0;
    std::vector<std::uint32_t> above;
    for (const KeyValue& each : key_values(line, 2, keys)) {
      if (each.key == "in") {
        above = parents(line, each.value, list.size());
      } else if (each.key == "bandwidth") {
        bandwidth = positive_number(line, each.value, "a bandwidth");
      } else {
        line.refuse(each.word, keys);
      }
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (_machine.find_switch(list[i])) line.refuse(list[i], "each switch once");
      const std::uint32_t index = _machine.add_switch(list[i], bandwidth);
      if (!above.empty()) _machine.set_parent(index, above[i * above.size() / list.size()]);
    }
  }

  void torus(const TextLine& line) {
    constexpr std::string_view keys = "periodic=yes,no,... or bandwidth=NUMBER,...";
    if (_machine.is_torus() || !_machine.switches().empty())
      line.refuse(line.words[0], "one torus, or switches");
    if (line.words.size() < 2) line.refuse(line.words[0], "extents such as 16x12x16 after it");
    Torus torus;
    for (const std::string_view part : split(line.words[1], 'x')) {
      torus.extents.push_back(whole_number(line, part, "an extent of the torus"));
      if (torus.extents.back() == 0) line.refuse(line.words[1], "extents above 0");
    }
    const std::size_t ndim = torus.extents.size();
    if (ndim > Grid::max_dimensions)
      line.refuse(line.words[1], "at most ", Grid::max_dimensions, " dimensions");
    for (const KeyValue& each : key_values(line, 2, keys)) {
      const auto parts = split(each.value, ',');
      if (parts.size() != ndim)
        line.refuse(each.value, "an entry for each of ", ndim, " dimensions");
      for (const std::string_view part : parts) {
        if (each.key == "bandwidth") {
          torus.bandwidth.push_back(positive_number(line, part, "a bandwidth"));
        } else if (each.key == "periodic" && (part == "yes" || part == "no")) {
          torus.periodic.push_back(part == "yes");
        } else {
          line.refuse(each.word, keys);
        }
      }
    }
    std::uint64_t routers = 1;
    for (const std::uint32_t extent : torus.extents)
      routers = std::min(routers * extent, too_many_routers);
    if (routers == too_many_routers) line.refuse(line.words[1], "at most 10 million routers");
    _machine.set_torus(std::move(torus));
  }

  struct NodeOptions {
    std::vector<std::uint32_t> above;
    std::uint32_t first_router = 0;
    std::uint32_t per_router = 1;
    std::uint32_t cores = 0;
    std::uint32_t numa = 1;
  };

  NodeOptions node_options(const TextLine& line, std::size_t count) {
    const std::string keys = _machine.is_torus() ? "at=X,Y,..., per-router=N, cores=N or numa=N"
                                                 : "in=SWITCHES, cores=N or numa=N";
    NodeOptions options;
    for (const KeyValue& each : key_values(line, 2, keys)) {
      if (each.key == "cores") {
        options.cores = whole_number(line, each.value, "a number of cores");
      } else if (each.key == "numa") {
        options.numa = whole_number(line, each.value, "a number of NUMA domains");
      } else if (each.key == "in" && !_machine.is_torus()) {
        options.above = parents(line, each.value, count);
      } else if (each.key == "at" && _machine.is_torus()) {
        options.first_router = router(line, each.value);
      } else if (each.key == "per-router" && _machine.is_torus()) {
        options.per_router = whole_number(line, each.value, "a number of nodes");
      } else {
        line.refuse(each.word, keys);
      }
    }
    if (options.numa == 0 || (options.cores != 0 && options.cores < options.numa))
      line.refuse(line.words[1], "at least one NUMA domain, and a core in each");
    if (options.per_router == 0) line.refuse(line.words[1], "at least one node per router");
    return options;
  }

  std::uint32_t router(const TextLine& line, std::string_view text) {
    const auto& extents = _machine.torus().extents;
    const auto parts = split(text, ',');
    if (parts.size() != extents.size())
      line.refuse(text, extents.size(), " coordinates, one for each dimension of the torus");
    std::uint32_t index = 0;
    for (std::size_t d = 0; d < parts.size(); ++d) {
      const std::uint32_t x = whole_number(line, parts[d], "a coordinate");
      if (x >= extents[d]) line.refuse(text, "coordinates below the torus extents: ", extents[d]);
      index = index * extents[d] + x;
    }
    return index;
  }

  void nodes(const TextLine& line) {
    const std::vector<std::string> list = names(line);
    const NodeOptions options = node_options(line, list.size());
    if (!_machine.is_torus() && options.above.empty()) {
      if (!_machine.switches().empty()) line.refuse(line.words[1], "in=SWITCHES after it");
      line.refuse(line.words[0], "a switch or a torus in an earlier line");
    }
    std::uint64_t num_routers = 1;
    if (_machine.is_torus()) {
      for (const std::uint32_t extent : _machine.torus().extents)
        num_routers *= extent;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (_machine.find_exactly(list[i])) line.refuse(list[i], "each node once");
      const std::uint64_t attachment = _machine.is_torus()
                                           ? options.first_router + i / options.per_router
                                           : options.above[i * options.above.size() / list.size()];
      if (_machine.is_torus() && attachment >= num_routers)
        line.refuse(list[i], "at most as many nodes as the remaining routers take");
      _machine.add_node(
          {list[i], "", static_cast<std::uint32_t>(attachment), options.cores, options.numa});
    }
  }

  static constexpr std::uint64_t too_many_routers = 10'000'001;

  Machine _machine;
  bool _has_heading = false;
};

}  // namespace

Machine read_dash(const TextLines& text) {
  return Reader(text).take();
}

}  // namespace dash::core::mapping
