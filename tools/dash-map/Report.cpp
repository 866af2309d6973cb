#include "Report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "Table.h"
#include "dash/core/mapping/Links.h"

namespace dash::map {

using namespace core::mapping;

namespace {

using Step = std::optional<std::array<double, 2>>;

std::string number(double value) {
  return value >= 100 || value == 0 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// The default value over the mapped one; "-" if the mapped value is 0.
std::string ratio(double by_default, double mapped) {
  return mapped > 0 ? fmt::format("{:.2f}", by_default / mapped) : "-";
}

const Evaluation& evaluation(const Comparison& comparison, std::size_t order) {
  return comparison.orders[order].evaluation;
}

template <class F>
std::vector<std::string> row(std::string name, const Comparison& comparison, F value) {
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = value(evaluation(comparison, i));
  std::vector<std::string> cells{std::move(name)};
  for (const double each : values)
    cells.push_back(number(each));
  cells.push_back(ratio(values[Comparison::by_unit], values[Comparison::mapped]));
  return cells;
}

tools::Table table(const char* title) {
  return tools::Table({std::string("<") + title, "default", "mapped", "random", "default/mapped"});
}

std::string heading(const Problem& problem, const Comparison& comparison) {
  const GridMapping& mapping = comparison.orders[Comparison::mapped].mapping;
  std::string text = fmt::format(
      "{}: {} of {} nodes, {} units on a grid of {}, {} MB to each neighbour\n"
      "mapped: {}",
      problem.topology, comparison.nodes.size(), comparison.machine.num_nodes(),
      comparison.locations.size(), format_extents(comparison.grid.extents),
      number(problem.nbytes / 1e6), mapping.method);
  if (!mapping.node_block.empty())
    text += fmt::format(", {} to a node", format_extents(mapping.node_block));
  if (!mapping.numa_block.empty())
    text += fmt::format(", {} to a NUMA domain", format_extents(mapping.numa_block));
  return text + fmt::format("; found in {:.3f} s\n", comparison.seconds);
}

double milliseconds(const LevelLoad& level) {
  return level.bandwidth > 0 ? level.largest_load / level.bandwidth / 1e6 : 0;
}

nlohmann::ordered_json to_json(const Order& order) {
  const Evaluation& evaluation = order.evaluation;
  nlohmann::ordered_json levels = nlohmann::ordered_json::array();
  for (const LevelLoad& level : evaluation.levels) {
    levels.push_back({{"name", level.name},
                      {"links", level.num_links},
                      {"bytes", level.bytes},
                      {"hop_bytes", level.hop_bytes},
                      {"largest_load_bytes", level.largest_load},
                      {"largest_load_ms", milliseconds(level)},
                      {"largest_link", level.largest_link},
                      {"bandwidth", level.bandwidth}});
  }
  return {{"method", order.mapping.method},    {"bytes", evaluation.bytes},
          {"hop_bytes", evaluation.hop_bytes}, {"network_hop_bytes", evaluation.network_hop_bytes},
          {"cost", evaluation.cost},           {"bottleneck_ms", evaluation.bottleneck / 1e6},
          {"levels", std::move(levels)}};
}

}  // namespace

std::string text_report(const Problem& problem, const Comparison& comparison, const Step& step_s) {
  std::string text = heading(problem, comparison);
  const auto& levels = evaluation(comparison, 0).levels;

  tools::Table outgoing = table("MB leaving");
  tools::Table hops = table("hop-bytes in MB");
  tools::Table busiest = table("busiest link, ms");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    // Dimensions of a torus do not contain units, so nothing leaves them.
    if (i <= Links::node_level || !comparison.machine.is_torus()) {
      outgoing.add(row(levels[i].name, comparison, [i](const Evaluation& e) {
        double above = 0;
        for (std::size_t k = i; k < e.levels.size(); ++k)
          above += e.levels[k].bytes;
        return above / 1e6;
      }));
    }
    if (i == Links::core_level || levels[i].num_links == 0) continue;
    hops.add(row(levels[i].name, comparison,
                 [i](const Evaluation& e) { return e.levels[i].hop_bytes / 1e6; }));
    busiest.add(row(levels[i].name, comparison,
                    [i](const Evaluation& e) { return milliseconds(e.levels[i]); }));
  }
  hops.add(
      row("network", comparison, [](const Evaluation& e) { return e.network_hop_bytes / 1e6; }));
  hops.add(row("all", comparison, [](const Evaluation& e) { return e.hop_bytes / 1e6; }));
  busiest.add(row("all", comparison, [](const Evaluation& e) { return e.bottleneck / 1e6; }));
  if (step_s) {
    busiest.add({"simulated step", number((*step_s)[0] * 1e3), number((*step_s)[1] * 1e3), "-",
                 ratio((*step_s)[0], (*step_s)[1])});
  }
  return text + "\n" + outgoing.text() + "\n" + hops.text() + "\n" + busiest.text();
}

std::string json_report(const Problem& problem, const Comparison& comparison, const Step& step_s) {
  const GridMapping& mapping = comparison.orders[Comparison::mapped].mapping;
  nlohmann::ordered_json json{
      {"topology", problem.topology},         {"nodes", comparison.nodes.size()},
      {"units", comparison.locations.size()}, {"grid", comparison.grid.extents},
      {"bytes_to_neighbour", problem.nbytes}, {"seed", problem.seed},
      {"seconds", comparison.seconds},        {"node_block", mapping.node_block},
      {"numa_block", mapping.numa_block}};
  for (std::size_t i = 0; i < comparison.orders.size(); ++i) {
    nlohmann::ordered_json order = to_json(comparison.orders[i]);
    if (step_s && i < step_s->size()) order["simulated_step_ms"] = (*step_s)[i] * 1e3;
    json["orders"][comparison.orders[i].name] = std::move(order);
  }
  return json.dump(2) + "\n";
}

std::string mapping_csv(const Comparison& comparison) {
  const auto& extents = comparison.grid.extents;
  std::string text;
  for (std::size_t d = 0; d < extents.size(); ++d)
    text += fmt::format("x{},", d + 1);
  text += "unit,node,numa\n";
  const auto& unit_at = comparison.orders[Comparison::mapped].mapping.unit_at;
  for (std::size_t position = 0; position < unit_at.size(); ++position) {
    std::size_t stride = unit_at.size();
    for (const std::uint32_t extent : extents) {
      stride /= extent;
      text += fmt::format("{},", position / stride % extent);
    }
    const UnitLocation& location = comparison.locations[unit_at[position]];
    text += fmt::format("{},{},{}\n", unit_at[position],
                        comparison.machine.node(location.node).name, location.numa);
  }
  return text;
}

std::string rank_order(const Comparison& comparison) {
  const auto& positions = comparison.orders[Comparison::mapped].mapping.position_of;
  constexpr std::size_t per_line = 24;
  std::string text;
  for (std::size_t unit = 0; unit < positions.size(); ++unit) {
    text += std::to_string(positions[unit]);
    if (unit + 1 < positions.size()) text += ",";
    if (unit % per_line == per_line - 1 || unit + 1 == positions.size()) text += "\n";
  }
  return text;
}

}  // namespace dash::map
