// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/SparseMatrix.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/Generate.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;
using Entry = dash::MatrixEntry<double>;

/// The elements of a matrix of integers, the same on all units.
struct Model {
  long num_rows;
  long num_columns;
  std::map<std::pair<long, long>, double> elements;

  /// Random elements, and those of them that this unit passes: some are divided between units.
  static std::pair<Model, std::vector<Entry>> random(long num_rows, long num_columns, int count,
                                                     std::mt19937& random) {
    Model model{num_rows, num_columns, {}};
    std::vector<Entry> own;
    for (int i = 0; i < count; ++i) {
      const auto row = static_cast<long>(random() % static_cast<unsigned long>(num_rows));
      const auto column = static_cast<long>(random() % static_cast<unsigned long>(num_columns));
      const double value = static_cast<double>(random() % 100);
      model.elements[{row, column}] += value;
      if (static_cast<int>(random() % static_cast<unsigned>(nunits())) == me())
        own.push_back({row, column, value});
    }
    return {model, own};
  }

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(static_cast<std::size_t>(num_rows));
    for (const auto& [at, value] : elements)
      y[static_cast<std::size_t>(at.first)] += value * x[static_cast<std::size_t>(at.second)];
    return y;
  }
};

void check_rows(const dash::SparseMatrix<double>& matrix, const Model& model) {
  REQUIRE(matrix.num_entries() == model.elements.size());
  for (long row = 0; row < matrix.num_local_rows(); ++row) {
    const long global = matrix.first_row() + row;
    REQUIRE(matrix.owner(global).id == me());
    auto expected = model.elements.lower_bound({global, 0});
    const auto columns = matrix.columns_of(row);
    const auto values = matrix.values_of(row);
    for (std::size_t k = 0; k < columns.size(); ++k, ++expected) {
      CAPTURE(global, k);
      REQUIRE(expected->first == std::pair(global, static_cast<long>(columns[k])));
      REQUIRE(expected->second == values[k]);
    }
    REQUIRE((expected == model.elements.end() || expected->first.first > global));
  }
}

void check_product(const dash::SparseMatrix<double>& matrix, const Model& model) {
  dash::Array<double> x(static_cast<std::size_t>(model.num_columns));
  dash::Array<double> y(static_cast<std::size_t>(model.num_rows));
  dash::generate_with_index(x, [](long i) { return static_cast<double>(i % 17); });
  x.barrier();
  std::vector<double> all(x.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<double>(i % 17);
  const std::vector<double> expected = model.times(all);
  for (const double factor : {1.0, 2.0, 1.0}) {
    if (factor == 1.0) {
      matrix.multiply(x, y);
    } else {
      matrix.multiply_add(x, y);
    }
    for (long row = 0; row < matrix.num_local_rows(); ++row) {
      CAPTURE(matrix.first_row() + row);
      REQUIRE(y.local[row] ==
              factor * expected[static_cast<std::size_t>(matrix.first_row() + row)]);
    }
  }
  y.barrier();
}

}  // namespace

TEST_CASE("SparseMatrix: random elements of all units: rows, product and transposed matrix") {
  std::mt19937 random(dash::test::seed());  // the same on all units
  for (const auto& [rows, columns, count] :
       {std::tuple(50L, 50L, 400), std::tuple(1L, 30L, 20), std::tuple(30L, 1L, 20),
        std::tuple(97L, 41L, 1000), std::tuple(5L, 5L, 0), std::tuple(700L, 900L, 5000)}) {
    CAPTURE(rows, columns, count);
    auto [model, own] = Model::random(rows, columns, count, random);
    const dash::SparseMatrix<double> matrix(rows, columns, own);
    check_rows(matrix, model);
    check_product(matrix, model);
    Model turned{columns, rows, {}};
    for (const auto& [at, value] : model.elements)
      turned.elements[{at.second, at.first}] = value;
    const dash::SparseMatrix<double> transposed = matrix.transposed();
    check_rows(transposed, turned);
    check_product(transposed, turned);
  }
}

TEST_CASE("SparseMatrix: an element outside of the matrix: all units throw") {
  const bool is_wrong = me() == nunits() - 1;
  std::vector<Entry> entries;
  if (is_wrong) entries = {{1, 1, 1.0}, {3, 10, 2.0}};
  if (is_wrong) {
    REQUIRE_THROWS_AS(dash::SparseMatrix<double>(10, 10, entries), dash::exception::OutOfRange);
  } else {
    REQUIRE_THROWS_AS(dash::SparseMatrix<double>(10, 10, entries), dash::exception::RuntimeError);
  }
}

namespace {

/// A number whose product may throw.
struct Throwing {
  double value;
  friend Throwing operator*(const Throwing& a, const Throwing& b) {
    if (b.value < 0) throw std::domain_error("a negative number");
    return {a.value * b.value};
  }
  friend Throwing operator+(const Throwing& a, const Throwing& b) { return {a.value + b.value}; }
};

}  // namespace

TEST_CASE("SparseMatrix: an operation that throws does so on the units that use the element") {
  const long n = 10L * nunits();
  std::vector<dash::MatrixEntry<Throwing>> entries;
  for (long i = 0; i < n; ++i) {
    entries.push_back({i, i, {1.0}});
    entries.push_back({i, (i + 7) % n, {1.0}});
  }
  const dash::SparseMatrix<Throwing> matrix(n, n, entries);
  dash::Array<Throwing> x(static_cast<std::size_t>(n));
  dash::Array<Throwing> y(static_cast<std::size_t>(n));
  for (auto& each : x.local)
    each = {me() == 0 ? -1.0 : 1.0};
  if (me() == 0 || me() == nunits() - 1) {
    REQUIRE_THROWS_AS(matrix.multiply(x, y), std::domain_error);
  } else {
    matrix.multiply(x, y);
  }
  for (auto& each : x.local)
    each = {1.0};
  matrix.multiply(x, y);  // each unit has passed all elements
  for (const Throwing& each : y.local)
    REQUIRE(each.value == 2.0 * nunits());
  y.barrier();
}

TEST_CASE("SparseMatrix: products in a row, whose vectors change without a barrier") {
  const long n = 100L * nunits();
  std::vector<Entry> entries;
  for (long i = n / nunits() * me(); i < n / nunits() * (me() + 1); ++i) {
    for (const long distance : {0L, 1L, n / 2, n - 3})
      entries.push_back({i, (i + distance) % n, 1.0});
  }
  dash::SparseMatrix<double> first(n, n, entries);
  const dash::SparseMatrix<double> matrix = std::move(first);
  dash::Array<double> x(static_cast<std::size_t>(n));
  dash::Array<double> y(static_cast<std::size_t>(n));
  for (int round = 0; round < 200; ++round) {
    for (std::size_t i = 0; i < x.lsize(); ++i)
      x.local[static_cast<long>(i)] =
          static_cast<double>(x.pattern().global(static_cast<long>(i)) + round);
    matrix.multiply(x, y);
    for (std::size_t i = 0; i < y.lsize(); ++i) {
      const long row = y.pattern().global(static_cast<long>(i));
      double expected = 4.0 * round;
      for (const long distance : {0L, 1L, n / 2, n - 3})
        expected += static_cast<double>((row + distance) % n);
      if (y.local[static_cast<long>(i)] != expected) {
        CAPTURE(round, row);
        REQUIRE(y.local[static_cast<long>(i)] == expected);
      }
    }
  }
  y.barrier();
}

TEST_CASE("SparseMatrix: small index types, and a vector that is multiplied in place") {
  const dash::SparseMatrix<int, std::int16_t> matrix(
      30'000, 30'000, std::vector<dash::MatrixEntry<int, std::int16_t>>{{29'999, 29'998, 1}});
  dash::Array<int> x(30'000);
  dash::Array<int> y(30'000);
  dash::fill(x.begin(), x.end(), 3);
  matrix.multiply(x, y);
  if (me() == nunits() - 1) REQUIRE(y.local[y.lsize() - 1] == 3 * nunits());
  REQUIRE_THROWS_AS(matrix.multiply(x, x), dash::exception::InvalidArgument);
  y.barrier();
}

TEST_CASE("SparseMatrix: vectors of another size or distribution are rejected") {
  const bool is_last = me() == nunits() - 1;
  std::vector<Entry> entries;
  for (long column = 0; is_last && column < 32; ++column)
    entries.push_back({2 * column, column, 1.0});
  const dash::SparseMatrix<double> matrix(64, 32, entries);
  dash::Array<double> x(32);
  dash::Array<double> y(64);
  REQUIRE_THROWS_AS(matrix.multiply(y, x), dash::exception::InvalidArgument);
  dash::Array<double> cyclic(64, dash::CYCLIC);
  if (nunits() > 1) REQUIRE_THROWS(matrix.multiply(x, cyclic));
  // Only the last unit passes wrong vectors.
  if (is_last) {
    REQUIRE_THROWS_AS(matrix.multiply(y, x), dash::exception::InvalidArgument);
  } else {
    REQUIRE_THROWS_AS(matrix.multiply(x, y), dash::exception::RuntimeError);
  }
  for (auto& each : x.local)
    each = 7;
  matrix.multiply(x, y);
  for (std::size_t i = 0; i < y.lsize(); ++i) {
    const long row = y.pattern().global(static_cast<long>(i));
    CAPTURE(row);
    REQUIRE(y.local[static_cast<long>(i)] == (row % 2 == 0 ? 7 : 0));
  }
  y.barrier();
}

TEST_CASE("SparseMatrix: cyclic vectors whose blocks end at the same units are rejected") {
  const long n = nunits() * (nunits() + 1);
  const dash::SparseMatrix<double> matrix(n, n, std::vector<Entry>{});
  dash::Array<double> x(static_cast<std::size_t>(n));
  dash::Array<double> y(static_cast<std::size_t>(n), dash::CYCLIC);
  if (nunits() > 1) {
    REQUIRE_THROWS(matrix.multiply(x, y));
    REQUIRE_THROWS(matrix.multiply(y, x));
  }
  x.barrier();
}
