#include "Problem.h"

#include <fmt/core.h>

#include "support/UserError.h"
#include "support/World.h"

namespace isx {

namespace {

constexpr std::uint32_t iso_width = 8192;

Problem nas_problem(const Options& options, int unit, int units) {
  const std::string size = options.size.value_or("S");
  const kernels::NasClass* const nas = kernels::find_nas_class(size);
  if (nas == nullptr) {
    throw kernels::UserError(fmt::format("unknown class '{}' of NAS IS: expected S, W or A", size));
  }
  const auto count = static_cast<std::uint64_t>(units);
  const auto begin = kernels::block_begin(nas->keys(), count, static_cast<std::uint64_t>(unit));
  const auto end = kernels::block_begin(nas->keys(), count, static_cast<std::uint64_t>(unit) + 1);
  Problem problem;
  problem.own = end - begin;
  problem.capacity = (nas->keys() + count - 1) / count;
  problem.total = nas->keys();
  problem.max_key = nas->range();
  problem.nas = nas;
  return problem;
}

Problem isx_problem(const Options& options, int units) {
  const auto count = static_cast<std::uint64_t>(units);
  const std::uint64_t keys = options.keys.value_or(1 << 20);
  Problem problem;
  problem.own = options.mode == "strong" ? (keys + count - 1) / count : keys;
  problem.capacity = problem.own;
  problem.total = problem.own * count;
  problem.max_key = static_cast<std::uint32_t>(
      options.mode == "iso" ? std::uint64_t{iso_width} * count : options.max_key.value_or(1 << 28));
  return problem;
}

/// \throws kernels::UserError if an option is not valid in the mode
void check_modes(const Options& options) {
  const auto reject = [&](bool is_used, const char* option, const char* modes) {
    if (!is_used) return;
    throw kernels::UserError(
        fmt::format("{} with --mode {}: expected {}", option, options.mode, modes));
  };
  const bool is_nas = options.mode == "nas";
  reject(options.size && !is_nas, "--class", "--mode nas");
  reject(options.keys && is_nas, "--keys", "--mode weak, strong or iso");
  reject(options.max_key && (is_nas || options.mode == "iso"), "--max-key",
         "--mode weak or strong");
}

}  // namespace

Problem Problem::of(const Options& options, int unit, int units) {
  check_modes(options);
  Problem problem =
      options.mode == "nas" ? nas_problem(options, unit, units) : isx_problem(options, units);
  const auto count = static_cast<std::uint32_t>(units);
  problem.width = (problem.max_key + count - 1) / count;
  if (problem.max_key < count) {
    throw kernels::UserError(fmt::format(
        "keys below {} are not enough for {} units: each unit needs a bucket with at least "
        "one value",
        problem.max_key, units));
  }
  return problem;
}

}  // namespace isx
