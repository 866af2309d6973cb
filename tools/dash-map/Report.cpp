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

/// How many times as much the default is; "-" where the mapped order has nothing.
std::string ratio(double by_default, double mapped) {
  return mapped > 0 ? fmt::format("{:.2f}", by_default / mapped) : "-";
}

const Evaluation& evaluation(const Study& study, std::size_t order) {
  return study.orders[order].evaluation;
}

template <class F>
std::vector<std::string> row(std::string name, const Study& study, F value) {
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = value(evaluation(study, i));
  std::vector<std::string> cells{std::move(name)};
  for (const double each : values)
    cells.push_back(number(each));
  cells.push_back(ratio(values[Study::by_units], values[Study::mapped]));
  return cells;
}

tools::Table table(const char* what) {
  return tools::Table({std::string("<") + what, "default", "mapped", "random", "default/mapped"});
}

std::string heading(const Question& question, const Study& study) {
  const GridMapping& mapping = study.orders[Study::mapped].mapping;
  std::string text = fmt::format(
      "{}: {} of {} nodes, {} units on a grid of {}, {} MB to each neighbour\n"
      "mapped: {}",
      question.topology, study.nodes.size(), study.machine.num_nodes(), study.places.size(),
      times(study.grid.extents), number(question.nbytes / 1e6), mapping.method);
  if (!mapping.node_block.empty()) text += fmt::format(", {} to a node", times(mapping.node_block));
  if (!mapping.numa_block.empty())
    text += fmt::format(", {} to a NUMA domain", times(mapping.numa_block));
  return text + fmt::format("; found in {:.3f} s\n", study.seconds);
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

std::string text_report(const Question& question, const Study& study, const Step& step_s) {
  std::string text = heading(question, study);
  const auto& levels = evaluation(study, 0).levels;

  tools::Table leaving = table("MB that leave a");
  tools::Table hops = table("MB times links");
  tools::Table loads = table("ms of the most loaded");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    // The dimensions of a torus are no parts that one leaves.
    if (i <= Links::node_level || !study.machine.is_torus()) {
      leaving.add(row(levels[i].name, study, [i](const Evaluation& e) {
        double above = 0;
        for (std::size_t k = i; k < e.levels.size(); ++k)
          above += e.levels[k].bytes;
        return above / 1e6;
      }));
    }
    if (i == Links::core_level || levels[i].num_links == 0) continue;
    hops.add(row(levels[i].name, study,
                 [i](const Evaluation& e) { return e.levels[i].hop_bytes / 1e6; }));
    loads.add(
        row(levels[i].name, study, [i](const Evaluation& e) { return milliseconds(e.levels[i]); }));
  }
  hops.add(row("network", study, [](const Evaluation& e) { return e.network_hop_bytes / 1e6; }));
  hops.add(row("all", study, [](const Evaluation& e) { return e.hop_bytes / 1e6; }));
  loads.add(row("all", study, [](const Evaluation& e) { return e.bottleneck / 1e6; }));
  if (step_s) {
    loads.add({"a step, simulated", number((*step_s)[0] * 1e3), number((*step_s)[1] * 1e3), "-",
               ratio((*step_s)[0], (*step_s)[1])});
  }
  return text + "\n" + leaving.text() + "\n" + hops.text() + "\n" + loads.text();
}

std::string json_report(const Question& question, const Study& study, const Step& step_s) {
  const GridMapping& mapping = study.orders[Study::mapped].mapping;
  nlohmann::ordered_json json{{"topology", question.topology},
                              {"nodes", study.nodes.size()},
                              {"units", study.places.size()},
                              {"grid", study.grid.extents},
                              {"bytes_to_neighbour", question.nbytes},
                              {"seed", question.seed},
                              {"seconds", study.seconds},
                              {"node_block", mapping.node_block},
                              {"numa_block", mapping.numa_block}};
  for (std::size_t i = 0; i < study.orders.size(); ++i) {
    nlohmann::ordered_json order = to_json(study.orders[i]);
    if (step_s && i < step_s->size()) order["simulated_step_ms"] = (*step_s)[i] * 1e3;
    json["orders"][study.orders[i].name] = std::move(order);
  }
  return json.dump(2) + "\n";
}

std::string rank_order(const Study& study) {
  const auto& positions = study.orders[Study::mapped].mapping.position_of;
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
