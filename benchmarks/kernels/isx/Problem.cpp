#include "Problem.h"

#include <fmt/core.h>

#include "support/UserError.h"
#include "support/World.h"

namespace isx {

namespace {

constexpr std::uint32_t iso_width = 8192;

constexpr std::array<NasClass, 3> nas_classes{{{'S',
                                                1 << 16,
                                                1 << 11,
                                                {48427, 17148, 23627, 62548, 4431},
                                                {0, 18, 346, 64917, 65463},
                                                3,
                                                0,
                                                0},
                                               {'W',
                                                1 << 20,
                                                1 << 16,
                                                {357773, 934767, 875723, 898999, 404505},
                                                {1249, 11698, 1039987, 1043896, 1048018},
                                                2,
                                                -2,
                                                0},
                                               {'A',
                                                1 << 23,
                                                1 << 19,
                                                {2112377, 662041, 5336171, 3642833, 4250760},
                                                {104, 17523, 123928, 8288932, 8388264},
                                                3,
                                                -1,
                                                1}}};

Problem nas_problem(const Options& options, int unit, int units) {
  const NasClass* const nas = find_nas_class(options.size);
  if (nas == nullptr) {
    throw kernels::UserError(
        fmt::format("there is no class '{}' of NAS IS here: it is S, W or A", options.size));
  }
  const auto count = static_cast<std::uint64_t>(units);
  const auto begin = kernels::block_begin(nas->keys, count, static_cast<std::uint64_t>(unit));
  const auto end = kernels::block_begin(nas->keys, count, static_cast<std::uint64_t>(unit) + 1);
  Problem problem;
  problem.own = end - begin;
  problem.capacity = (nas->keys + count - 1) / count;
  problem.total = nas->keys;
  problem.max_key = nas->range;
  problem.nas = nas;
  return problem;
}

Problem isx_problem(const Options& options, int units) {
  const auto count = static_cast<std::uint64_t>(units);
  Problem problem;
  problem.own = options.mode == "strong" ? (options.keys + count - 1) / count : options.keys;
  problem.capacity = problem.own;
  problem.total = problem.own * count;
  problem.max_key = static_cast<std::uint32_t>(
      options.mode == "iso" ? std::uint64_t{iso_width} * count : options.max_key);
  return problem;
}

}  // namespace

std::uint64_t NasClass::expected_rank(int i, int iteration) const {
  const auto rank = static_cast<std::int64_t>(ranks[static_cast<std::size_t>(i)]);
  return static_cast<std::uint64_t>(i < rising ? rank + rise_from + iteration
                                               : rank + fall_from - iteration);
}

const NasClass* find_nas_class(const std::string& name) {
  for (const NasClass& each : nas_classes) {
    if (name.size() == 1 && name[0] == each.name) return &each;
  }
  return nullptr;
}

Problem Problem::of(const Options& options, int unit, int units) {
  Problem problem =
      options.mode == "nas" ? nas_problem(options, unit, units) : isx_problem(options, units);
  const auto count = static_cast<std::uint32_t>(units);
  problem.width = (problem.max_key + count - 1) / count;
  if (problem.max_key < count) {
    throw kernels::UserError(
        fmt::format("keys below {} are not enough for {} units: each has a bucket of values",
                    problem.max_key, units));
  }
  return problem;
}

}  // namespace isx
