#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <vector>

#include "Check.h"
#include "Fetch.h"
#include "LocalMatrix.h"
#include "support/Catch.h"

using namespace spmv;

namespace {

using Values = std::vector<double>;

struct Case {
  Grid grid{5, 7, 3};
  int units = 3;
  bool whole_planes = false;
  std::size_t block_size = 1;
  bool with_ranges = false;
};

/// Computes the product on all units; each unit gets only the columns that its matrix lists as
/// dependencies.
Values multiply(const Case& of, const Values& x) {
  Values y;
  const std::size_t s = of.block_size;
  for (int unit = 0; unit < of.units; ++unit) {
    const Layout layout(of.grid, of.whole_planes, of.units, unit);
    const LocalMatrix matrix(layout, s, of.with_ranges);
    Values ghosts(matrix.ghosts() * s, std::nan(""));
    std::vector<const double*> addresses;
    for (std::size_t i = 0; i < matrix.ghosts(); ++i)
      addresses.push_back(ghosts.data() + i * s);
    for (const Dependency& dependency : matrix.dependencies()) {
      for (std::size_t i = 0; i < dependency.columns.size(); ++i) {
        const std::uint64_t column = dependency.columns[i];
        const std::size_t index =
            dependency.first_ghost + (of.with_ranges ? column - dependency.first() : i);
        for (std::size_t t = 0; t < s; ++t)
          ghosts[index * s + t] = x[column * s + t];
      }
    }
    Values part(layout.size * s, std::nan(""));
    matrix.multiply_inner(x.data() + layout.first * s, part.data());
    matrix.multiply_border(x.data() + layout.first * s, addresses.data(), part.data());
    y.insert(y.end(), part.begin(), part.end());
  }
  return y;
}

Values of_points(const Grid& grid, const std::function<double(double, double, double)>& f) {
  Values values;
  for (std::uint64_t k = 0; k < grid.c; ++k) {
    for (std::uint64_t j = 0; j < grid.b; ++j) {
      for (std::uint64_t i = 0; i < grid.a; ++i)
        values.push_back(f(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
    }
  }
  return values;
}

Values inputs(const Grid& grid) {
  Values x(grid.rows());
  for (std::size_t row = 0; row < x.size(); ++row)
    x[row] = input(row);
  return x;
}

}  // namespace

TEST_CASE("the product does not depend on the distribution of the rows") {
  for (const Grid& grid : {Grid{5, 7, 3}, Grid{4, 4, 4}, Grid{1, 1, 9}, Grid{6, 1, 2}}) {
    const Values x = inputs(grid);
    Values expected(x.size());
    for (std::size_t row = 0; row < x.size(); ++row)
      expected[row] = expected_output(grid, row);
    for (int units = 1; units <= 9; ++units) {
      for (const bool planes : {false, true}) {
        for (const bool ranges : {false, true})
          REQUIRE(multiply({grid, units, planes, 1, ranges}, x) == expected);
      }
    }
  }
}

TEST_CASE("the matrix has the number of nonzeros given by the grid") {
  for (const int units : {1, 2, 3, 7}) {
    std::uint64_t nonzeros = 0;
    for (int unit = 0; unit < units; ++unit)
      nonzeros += LocalMatrix(Layout({16, 16, 16}, false, units, unit), 1, true).nonzeros();
    CHECK(nonzeros == 27136);
  }
  CHECK(Grid{16, 16, 16}.nonzeros() == 27136);
  CHECK(Grid{5, 7, 3}.nonzeros() == 593);
}

TEST_CASE("a matrix of dense blocks is the Kronecker product of both matrices") {
  constexpr std::size_t s = 3;
  const Grid grid{5, 4, 3};
  const Values scalar = multiply({grid, 1, false, 1, false}, inputs(grid));
  Values x;
  Values expected;
  const Values m = {1, -2, 5};
  for (std::size_t row = 0; row < grid.rows(); ++row) {
    for (std::size_t t = 0; t < s; ++t) {
      x.push_back(input(row) * m[t]);
      expected.push_back(scalar[row] * (m[t] + std::accumulate(m.begin(), m.end(), 0.0)));
    }
  }
  for (int units = 1; units <= 5; ++units)
    CHECK(multiply({grid, units, false, s, units % 2 == 0}, x) == expected);
}

TEST_CASE("the product is zero for linear functions inside, and sines are eigenvectors") {
  const Case of{{6, 5, 7}, 3, false, 1, false};
  const Values linear = multiply(
      of, of_points(of.grid, [](double i, double j, double k) { return 3 * i - j + 2 * k; }));
  const Values inside = of_points(of.grid, [&](double i, double j, double k) {
    return i > 0 && i < 5 && j > 0 && j < 4 && k > 0 && k < 6 ? 1.0 : 0.0;
  });
  for (std::size_t row = 0; row < linear.size(); ++row) {
    if (inside[row] != 0) CHECK(linear[row] == 0);
  }

  const auto wave = [](double i, int waves, double extent) {
    return std::sin(std::numbers::pi * waves * (i + 1) / (extent + 1));
  };
  const Values x = of_points(of.grid, [&](double i, double j, double k) {
    return wave(i, 2, 6) * wave(j, 1, 5) * wave(k, 3, 7);
  });
  const auto share = [](int waves, double extent) {
    return 2 * std::cos(std::numbers::pi * waves / (extent + 1));
  };
  const double factor = 6 - share(2, 6) - share(1, 5) - share(3, 7);
  const Values y = multiply(of, x);
  for (std::size_t row = 0; row < y.size(); ++row)
    CHECK(y[row] == Approx(factor * x[row]).margin(1e-12));
}

TEST_CASE("the matrix is symmetric") {
  const Case of{{4, 3, 5}, 4, false, 1, true};
  const Values x = inputs(of.grid);
  const Values z = of_points(of.grid, [](double i, double j, double k) { return i * j - k; });
  const Values ax = multiply(of, x);
  const Values az = multiply(of, z);
  CHECK(std::inner_product(x.begin(), x.end(), az.begin(), 0.0) ==
        std::inner_product(z.begin(), z.end(), ax.begin(), 0.0));
}

TEST_CASE("runs are maximal ranges of consecutive columns") {
  const Dependency dependency{0, {3, 4, 5, 9, 11, 12}, 0};
  const auto runs = runs_of(dependency);
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].first == 3);
  CHECK(runs[0].length == 3);
  CHECK(runs[1].first == 9);
  CHECK(runs[1].length == 1);
  CHECK(runs[2].first == 11);
  CHECK(runs[2].length == 2);
}

namespace {

/// Gives access to the buffers of a Fetch, or reads in place.
class TestFetch final : public Fetch {
 public:
  TestFetch(const FetchSpec& spec, const Values* in_place) : Fetch(spec) {
    for (const Dependency& dependency : spec.dependencies) {
      if (in_place == nullptr) {
        for (const std::size_t buffer_index : {0, 1})
          buffers.push_back(make_buffer(dependency, buffer_index));
      } else {
        read_in_place(dependency, in_place->data() + dependency.first() * spec.block_size);
      }
    }
  }
  std::span<double> local() override { return {}; }
  void start() override {}
  void finish() override {}

  void select_buffer(std::size_t buffer_index) { _current = buffer_index; }

  std::vector<double*> buffers;
};

}  // namespace

TEST_CASE("fetched columns have buffers, optionally alternating; columns read in place have none") {
  constexpr std::size_t s = 2;
  Values remote(20 * s);
  std::iota(remote.begin(), remote.end(), 0.0);
  const Layout layout({20, 1, 1}, false, 2, 0);
  for (const Variant variant : {Variant::elements, Variant::ranges, Variant::lists}) {
    const FetchSpec spec{layout, s, variant, {{1, {11, 12, 15}, 0}}};
    TestFetch fetched(spec, nullptr);
    const std::size_t n = spec.num_columns(spec.dependencies.front()) * s;
    CHECK(fetched.fetched_bytes() == n * sizeof(double));
    for (const std::size_t buffer_index : {0, 1, 0}) {
      fetched.select_buffer(buffer_index);
      CHECK(fetched.ghosts()[0] == fetched.buffers[buffer_index]);
      CHECK(fetched.ghosts()[n / s - 1] == fetched.buffers[buffer_index] + n - s);
    }

    TestFetch in_place(spec, &remote);
    CHECK(in_place.fetched_bytes() == 0);
    const std::size_t last = variant == Variant::ranges ? 4 : 2;
    CHECK(in_place.ghosts()[0] == &remote[11 * s]);
    CHECK(in_place.ghosts()[last] == &remote[15 * s]);
  }
}

TEST_CASE("the rows of A 1 are counted by missing neighbours, even in grids of a single plane") {
  using Counts = std::array<std::uint64_t, 4>;
  CHECK(expected_values({4, 4, 4}) == Counts{8, 24, 24, 8});
  CHECK(expected_values({5, 7, 3}) == Counts{15, 46, 36, 8});
  CHECK(expected_values({3, 3, 1}) == Counts{0, 0, 1, 4});
}
