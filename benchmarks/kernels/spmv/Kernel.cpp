#include "Kernel.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <numeric>
#include <span>
#include <utility>

#include "Check.h"
#include "LocalMatrix.h"

namespace spmv {

namespace {

struct Options {
  std::vector<std::uint64_t> grid = {32, 32, 32};
  std::size_t block_size = 1;
  int products = 10;
  std::string split = "auto";
  std::string fetch = "ranges";
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("-g,--grid", options.grid, "points of the grid: A,B,C (32,32,32)")
      ->delimiter(',')
      ->expected(3)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20));
  app.add_option("--block", options.block_size,
                 "unknowns of each point, which form dense blocks (1)")
      ->check(CLI::Range(1, 32));
  app.add_option("--products", options.products, "number of products in a run (10)")
      ->check(CLI::Range(1, 1000000));
  app.add_option(
         "--split", options.split,
         "planes: blocks of whole planes; rows: equal blocks, the last one may be smaller; auto: "
         "planes if there are enough (auto)")
      ->check(CLI::IsMember({"auto", "planes", "rows"}));
  app.add_option(
         "--fetch", options.fetch,
         "elements: each column separately; ranges: all columns from the first to the last; "
         "lists: the needed columns at once (ranges)")
      ->check(CLI::IsMember({"elements", "ranges", "lists"}));
}

Variant variant_of(const std::string& name) {
  if (name == "elements") return Variant::elements;
  return name == "ranges" ? Variant::ranges : Variant::lists;
}

/// The matrix, the vector and the product of one unit.
class Product {
 public:
  Product(const Layout& layout, const Options& options, const MakeFetch& make,
          const std::string& via)
      : _layout(layout),
        _block_size(options.block_size),
        _matrix(layout, options.block_size, options.fetch == "ranges"),
        _fetch(make({layout, options.block_size, variant_of(options.fetch), _matrix.dependencies()},
                    via)),
        _result(layout.size * options.block_size) {}

  /// Sets x(row, t) = value(row) * (t + 1). \collective
  template <class F>
  void set(kernels::World& world, const F& value) {
    // Other units may still be reading the vector.
    world.barrier();
    const auto x = _fetch->local();
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = value(_layout.first + i / _block_size) * static_cast<double>(i % _block_size + 1);
    }
    world.barrier();
  }

  void multiply(kernels::Stopwatch& communication) {
    communication.time([&] { _fetch->start(); });
    _matrix.multiply_inner(_fetch->local().data(), _result.data());
    communication.time([&] { _fetch->finish(); });
    _matrix.multiply_border(_fetch->local().data(), _fetch->ghosts(), _result.data());
  }

  const LocalMatrix& matrix() const { return _matrix; }
  std::size_t fetched_bytes() const { return _fetch->fetched_bytes(); }
  std::span<double> result() { return _result; }

  /// Compares the product with the values computed from the grid.
  /// \param factor  factor of the input vector
  /// \returns an error message for the first wrong number; empty if there is none
  std::string compare(double factor) const {
    // M (1, 2, ..., s): each row gives the sum of all elements plus its own. For blocks of size 1,
    // M is 1.
    const auto s = static_cast<double>(_block_size);
    for (std::size_t i = 0; i < _result.size(); ++i) {
      const std::uint64_t row = _layout.first + i / _block_size;
      const auto t = static_cast<double>(i % _block_size);
      const double of_block = _block_size == 1 ? 1 : s * (s + 1) / 2 + t + 1;
      const double expected = factor * expected_output(_layout.grid, row) * of_block;
      if (_result[i] == expected) continue;
      return fmt::format("row {}, number {} is {} instead of {}", row, i % _block_size, _result[i],
                         expected);
    }
    return {};
  }

 private:
  Layout _layout;
  std::size_t _block_size;
  LocalMatrix _matrix;
  std::unique_ptr<Fetch> _fetch;
  Large<double> _result;
};

/// Compares the product on all units. \returns an error message on all units; empty if the product
/// is correct
std::string compare(kernels::World& world, const Product& product, double factor) {
  const std::string own = product.compare(factor);
  const double wrong_units = world.sum(own.empty() ? 0.0 : 1.0);
  if (wrong_units == 0 || !own.empty()) return own;
  return fmt::format("the product is wrong on {} other units", wrong_units);
}

/// Verifies products of vectors that change in between: each product must fetch the columns again,
/// like the timed ones.
/// \returns an error message; empty if the products are correct
std::string verify_fetching(kernels::World& world, Product& product) {
  for (const double factor : {2.0, 3.0, 4.0}) {
    kernels::Stopwatch untimed;
    product.set(world, [factor](std::uint64_t row) { return factor * input(row); });
    product.multiply(untimed);
    if (const auto failure = compare(world, product, factor); !failure.empty())
      return "after a change of the vector " + failure;
  }
  return {};
}

/// Verifies the product of the input vector.
/// \returns an error message on all units; empty if the product is correct
std::string verify(kernels::World& world, const Layout& layout, Product& product, bool is_scalar,
                   std::string& description) {
  if (auto failure = compare(world, product, 1); !failure.empty()) return failure;
  if (!is_scalar) return {};
  const Fingerprint fingerprint = fingerprint_of(world, layout, product.result());
  description += kernels::line("product", text_of(fingerprint));
  const auto known = known_fingerprint(layout.grid);
  if (known && fingerprint != *known) {
    return fmt::format("the product has {}; expected {}", text_of(fingerprint), text_of(*known));
  }
  return {};
}

/// Verifies the product with a vector of ones. \returns an error message; empty if the product is
/// correct
std::string verify_ones(kernels::World& world, const Layout& layout, Product& product) {
  kernels::Stopwatch untimed;
  product.set(world, [](std::uint64_t) { return 1.0; });
  product.multiply(untimed);
  const auto counts = count_values(world, product.result());
  const auto expected = expected_values(layout.grid);
  if (counts == expected) return {};
  return fmt::format("A 1 is 0, 1, 2, 3 in {}, {}, {}, {} rows instead of {}, {}, {}, {}",
                     counts[0], counts[1], counts[2], counts[3], expected[0], expected[1],
                     expected[2], expected[3]);
}

Layout layout_of(const Options& options, int units, int unit) {
  const Grid grid{options.grid[0], options.grid[1], options.grid[2]};
  if (grid.a * grid.b > (std::uint64_t{1} << 40) / grid.c) {
    throw kernels::UserError(
        fmt::format("a grid of {} x {} x {} points has more than 2^40", grid.a, grid.b, grid.c));
  }
  const bool has_planes = grid.c >= static_cast<std::uint64_t>(units);
  return {grid, options.split == "planes" || (options.split == "auto" && has_planes), units, unit};
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& options, const MakeFetch& make) {
  const Layout layout = layout_of(options, world.units(), world.unit());
  const auto blocks = static_cast<double>(options.block_size * options.block_size);
  const double per_row = 7 * (4 + 8 * blocks) + 8 + 16 * static_cast<double>(options.block_size);
  kernels::require_memory(world, static_cast<double>(layout.block) * per_row, "the matrix");
  if (layout.block * options.block_size >= std::uint64_t{1} << 31) {
    throw kernels::UserError("each unit has 2^31 rows or more: use more units");
  }
  Product product(layout, options, make, common.via);

  kernels::Outcome outcome;
  if (options.block_size == 1) outcome.failure = verify_ones(world, layout, product);
  product.set(world, input);
  outcome.samples = kernels::take_samples(
      world, common.repeat,
      [&] { std::fill(product.result().begin(), product.result().end(), -1.0); },
      [&](kernels::Stopwatch& communication) {
        for (int i = 0; i < options.products; ++i)
          product.multiply(communication);
      });
  const auto fetched = world.sum<std::uint64_t>(product.fetched_bytes());
  const std::uint64_t nonzeros = world.sum<std::uint64_t>(product.matrix().nonzeros());
  const double flops = 2 * static_cast<double>(nonzeros) * blocks;
  outcome.work = flops * options.products * 1e-9;
  outcome.rate_unit = "GFLOP/s";
  outcome.description =
      kernels::line("grid", fmt::format("{} x {} x {}, {} unknowns per point", options.grid[0],
                                        options.grid[1], options.grid[2], options.block_size)) +
      kernels::line("nonzeros", fmt::format("{} blocks", nonzeros)) +
      kernels::line("products", fmt::format("{} per run, {} bytes fetched by all units for each",
                                            options.products, fetched));
  if (outcome.failure.empty() && nonzeros != layout.grid.nonzeros()) {
    outcome.failure =
        fmt::format("the matrix has {} nonzeros instead of {}", nonzeros, layout.grid.nonzeros());
  }
  if (outcome.failure.empty()) {
    outcome.failure = verify(world, layout, product, options.block_size == 1, outcome.description);
  }
  if (outcome.failure.empty()) outcome.failure = verify_fetching(world, product);
  return outcome;
}

}  // namespace

kernels::Program make_program(const std::string& name, MakeFetch make) {
  return kernels::make_program(
      name, "Products of the Laplacian of a grid, in compressed rows, and a vector", add_options,
      run, std::move(make));
}

}  // namespace spmv
