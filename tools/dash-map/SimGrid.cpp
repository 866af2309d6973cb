#include <simgrid/s4u.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "Simulation.h"
#include "dash/Exception.h"
#include "dash/core/mapping/Links.h"

namespace dash::map {

using namespace core::mapping;
namespace s4u = simgrid::s4u;

namespace {

/// SimGrid stores a table of all pairs of hosts.
constexpr std::size_t max_hosts = 4096;
/// One second in SimGrid represents a microsecond. SimGrid's solver ignores differences of less than one byte per
/// second; with bandwidths of billions of bytes per second, rounding errors would exceed that.
constexpr double microseconds = 1e-6;
constexpr double bytes_per_tick = 1e9 * microseconds;  // at a bandwidth of 1
constexpr double latency = 0.1;                        // of a link, in ticks

/// The bytes that a node sends to another node in a step, and a unit of each.
struct Message {
  double nbytes = 0;
  std::uint32_t from_unit = 0;
  std::uint32_t to_unit = 0;
};
using Messages = std::map<std::pair<std::uint32_t, std::uint32_t>, Message>;

Messages messages_of(const Comparison& comparison, const GridMapping& mapping) {
  Messages messages;
  const auto send = [&](std::uint32_t from, std::uint32_t to, double nbytes) {
    const auto key = std::pair(comparison.locations[from].node, comparison.locations[to].node);
    if (key.first == key.second) return;
    Message& message = messages[key];
    message.nbytes += nbytes;
    message.from_unit = from;
    message.to_unit = to;
  };
  const Grid& grid = comparison.grid;
  std::size_t stride = grid.size();
  for (std::size_t d = 0; d < grid.extents.size(); ++d) {
    const std::size_t extent = grid.extents[d];
    stride /= extent;
    if (extent == 1) continue;
    for (std::size_t position = 0; position < grid.size(); ++position) {
      const bool is_last = position / stride % extent == extent - 1;
      if (is_last && !grid.is_periodic(d)) continue;
      const std::size_t next = is_last ? position - (extent - 1) * stride : position + stride;
      send(mapping.unit_at[position], mapping.unit_at[next], grid.weight(d));
      send(mapping.unit_at[next], mapping.unit_at[position], grid.weight(d));
    }
  }
  return messages;
}

/// SimGrid's model of the machine: nodes are hosts, and routes consist of the links of core::mapping::Links.
class Platform {
 public:
  Platform(const Comparison& comparison, const Links& links)
      : _links(links), _zone(s4u::create_full_zone("machine")) {
    if (comparison.nodes.size() > max_hosts) {
      throw exception::InvalidArgument(
          fmt::format("--simulate: {} nodes; SimGrid's table of all pairs is limited to {}",
                      comparison.nodes.size(), max_hosts));
    }
    for (const std::uint32_t node : comparison.nodes) {
      s4u::Host* const host = _zone->create_host("h" + std::to_string(node), 1e9);
      host->seal();
      _hosts.emplace(node, host);
    }
  }

  void add_routes(const Messages& messages) {
    for (const auto& [pair, message] : messages) {
      if (!_routed.insert(pair).second) continue;
      std::vector<s4u::LinkInRoute> route;
      for (const std::size_t link : _links.route(message.from_unit, message.to_unit)) {
        if (_links.level(link) >= Links::node_level) route.emplace_back(link_of(link));
      }
      _zone->add_route(host(pair.first)->get_netpoint(), host(pair.second)->get_netpoint(), nullptr,
                       nullptr, route, false);
    }
  }

  void seal() { _zone->seal(); }
  s4u::Host* host(std::uint32_t node) const { return _hosts.at(node); }

 private:
  const s4u::Link* link_of(std::size_t link) {
    const auto [entry, is_new] = _created.try_emplace(link, nullptr);
    if (is_new) {
      entry->second =
          _zone->create_link("l" + std::to_string(link), _links.bandwidth(link) * bytes_per_tick);
      entry->second->set_latency(latency)->seal();
    }
    return entry->second;
  }

  const Links& _links;
  s4u::NetZone* _zone;
  std::unordered_map<std::uint32_t, s4u::Host*> _hosts;
  std::unordered_map<std::size_t, s4u::Link*> _created;
  std::set<std::pair<std::uint32_t, std::uint32_t>> _routed;
};

}  // namespace

std::array<double, 2> simulate(const Comparison& comparison) {
  // Share links fairly, and do not model TCP.
  std::array<std::string, 6> arguments{"dash-map",
                                       "--log=root.thresh:warning",
                                       "--cfg=network/model:CM02",
                                       "--cfg=network/TCP-gamma:0",
                                       "--cfg=network/crosstraffic:no",
                                       "--cfg=contexts/factory:thread"};
  std::array<char*, 7> argv{};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    argv[i] = arguments[i].data();
  int argc = static_cast<int>(arguments.size());
  s4u::Engine engine(&argc, argv.data());

  const Links links(comparison.machine, comparison.locations);
  Platform platform(comparison, links);
  std::array<Messages, 2> steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i] = messages_of(comparison, comparison.orders[i].mapping);
    platform.add_routes(steps[i]);
  }
  platform.seal();

  std::array<double, 2> seconds{};
  s4u::Actor::create("steps", platform.host(comparison.nodes.front()), [&] {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double began = s4u::Engine::get_clock();
      std::vector<s4u::CommPtr> messages;
      for (const auto& [pair, message] : steps[i]) {
        messages.push_back(s4u::Comm::sendto_async(platform.host(pair.first),
                                                   platform.host(pair.second),
                                                   static_cast<std::uint64_t>(message.nbytes)));
      }
      s4u::Comm::wait_all(messages);
      seconds[i] = (s4u::Engine::get_clock() - began) * microseconds;
    }
  });
  engine.run();
  return seconds;
}

}  // namespace dash::map
