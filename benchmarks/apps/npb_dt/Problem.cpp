#include "Problem.h"

#include <fmt/core.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace npb_dt {

namespace {

struct Class {
  Size size;
  std::array<double, 3> checksums;  // by shape
};

constexpr std::array<std::string_view, 3> shape_names{"BH", "WH", "SH"};

constexpr std::array<Class, 4> classes{
    {{{'S', 1728, 128, 4}, {30892725, 67349758, 58875767}},
     {{'W', 1728 * 8, 256, 8}, {4102461, 204280762, 186944764}},
     {{'A', 1728 * 64, 512, 16}, {17809491, 1289925229, 610856482}},
     {{'B', 1728 * 512, 1024, 32}, {4317114, 7877279917, 1836863082}}}};

Shape shape_named(const std::string& name) {
  for (std::size_t i = 0; i < shape_names.size(); ++i) {
    if (shape_names[i] == name) return static_cast<Shape>(i);
  }
  throw std::invalid_argument(fmt::format(
      "unknown graph '{}': expected BH (black hole), WH (white hole) or SH (shuffle)", name));
}

const Class& class_named(const std::string& name) {
  for (const Class& each : classes) {
    if (name.size() == 1 && name[0] == each.size.name) return each;
  }
  throw std::invalid_argument(fmt::format("unknown class '{}': expected S, W, A or B", name));
}

}  // namespace

Problem Problem::named(const std::string& shape, const std::string& size_name) {
  const Shape known_shape = shape_named(shape);
  const Size& size = class_named(size_name).size;
  return {known_shape, size, Graph(known_shape, size.sources)};
}

double Problem::known_checksum() const {
  return class_named(std::string(1, size.name)).checksums[static_cast<std::size_t>(shape)];
}

std::optional<std::string> Problem::find_failure(double checksum) const {
  // The checksum is a sum of integers below 2^53, which is exact in any order.
  const double known = known_checksum();
  if (checksum == known) return std::nullopt;
  return fmt::format("the checksum is {:.0f} instead of {:.0f}", checksum, known);
}

double Problem::nominal_traffic() const {
  return static_cast<double>(feature_size * size.samples) *
         static_cast<double>(graph.arcs().size());
}

std::string describe(const Problem& problem) {
  return fmt::format(
      "{}, class {}: {} nodes, {} arcs, streams of {:.4g} KiB",
      shape_names[static_cast<std::size_t>(problem.shape)], problem.size.name, problem.graph.size(),
      problem.graph.arcs().size(),
      static_cast<double>(feature_size * problem.size.samples * sizeof(double)) / 1024);
}

}  // namespace npb_dt
