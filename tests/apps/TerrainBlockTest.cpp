// dash-test: serial

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "input/Field.h"
#include "solver/Block.h"
#include "solver/RowKernel.h"
#include "solver/SerialSolver.h"
#include "solver/Stencil.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using terrain::Block;
using terrain::Field;
using terrain::Halo;

Field random_field(std::mt19937& random, std::size_t rows, std::size_t cols) {
  std::uniform_real_distribution<double> elevation(0, 1000);
  Field field(rows, cols);
  for (auto& z : field.cells)
    z = elevation(random);
  return field;
}

std::size_t random_extent(std::mt19937& random, std::size_t max) {
  return std::uniform_int_distribution<std::size_t>(1, max)(random);
}

bool equal_to_the_last_bit(const Field& a, const Field& b) {
  return std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(),
                    [](double x, double y) {
                      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
                    });
}

// A rectangle of a terrain with its halo, stored like the block of a unit.
struct Part {
  std::size_t row;
  std::size_t col;
  Block block;
  std::vector<double> cells;
  std::vector<double> north, south, west, east;
};

Part extract(const Field& whole, std::size_t row, std::size_t col, std::size_t rows,
             std::size_t cols) {
  Part part{row, col, {}, {}, {}, {}, {}, {}};
  part.block = {rows, cols, row > 0, row + rows<whole.rows, col> 0, col + cols < whole.cols};
  for (std::size_t r = row; r < row + rows; ++r) {
    part.cells.insert(part.cells.end(), whole.row(r) + col, whole.row(r) + col + cols);
    if (part.block.west) part.west.push_back(whole.at(r, col - 1));
    if (part.block.east) part.east.push_back(whole.at(r, col + cols));
  }
  if (part.block.north)
    part.north.assign(whole.row(row - 1) + col, whole.row(row - 1) + col + cols);
  if (part.block.south)
    part.south.assign(whole.row(row + rows) + col, whole.row(row + rows) + col + cols);
  return part;
}

const double* pointer(const std::vector<double>& side) {
  return side.empty() ? nullptr : side.data();
}

Field step_in_blocks(const Field& whole, std::size_t block_rows, std::size_t block_cols,
                     double alpha) {
  Field next(whole.rows, whole.cols);
  for (std::size_t row = 0; row < whole.rows; row += block_rows) {
    for (std::size_t col = 0; col < whole.cols; col += block_cols) {
      const auto part = extract(whole, row, col, std::min(block_rows, whole.rows - row),
                                std::min(block_cols, whole.cols - col));
      std::vector<double> dst(part.cells.size(), -1);
      const Halo halo{pointer(part.north), pointer(part.south), pointer(part.west),
                      pointer(part.east)};
      terrain::update_inner(part.block, part.cells.data(), dst.data(), alpha);
      terrain::update_border(part.block, halo, part.cells.data(), dst.data(), alpha);
      for (std::size_t r = 0; r < part.block.rows; ++r) {
        std::copy_n(dst.begin() + static_cast<std::ptrdiff_t>(r * part.block.cols), part.block.cols,
                    next.row(row + r) + col);
      }
    }
  }
  return next;
}

TEST_CASE("terrain blocks: any division into blocks gives the serial result to the last bit") {
  std::mt19937 random(dash::test::seed());
  for (int round = 0; round < 400; ++round) {
    const auto rows = random_extent(random, 24);
    const auto cols = random_extent(random, 24);
    const auto block_rows = random_extent(random, rows);
    const auto block_cols = random_extent(random, cols);
    auto field = random_field(random, rows, cols);
    const double alpha = std::uniform_real_distribution<double>(0.01, 0.25)(random);
    const auto expected = terrain::solve_serially(field, 3, alpha);
    for (int s = 0; s < 3; ++s)
      field = step_in_blocks(field, block_rows, block_cols, alpha);
    INFO(rows << " x " << cols << " cells in blocks of " << block_rows << " x " << block_cols);
    REQUIRE(equal_to_the_last_bit(field, expected));
  }
}

TEST_CASE("terrain row kernel: rows of every length equal the results of the cell function") {
  std::mt19937 random(dash::test::seed());
  for (std::size_t n = 0; n <= 70; ++n) {
    const auto rows = random_field(random, 3, n + 2);
    std::vector<double> dst(n + 1, -1);
    terrain::diffuse_row(dst.data(), rows.row(0) + 1, rows.row(1) + 1, rows.row(2) + 1,
                         rows.at(1, 0), rows.at(1, n + 1), n, 0.2);
    for (std::size_t c = 0; c < n; ++c) {
      REQUIRE(dst[c] == terrain::diffuse(rows.at(1, c + 1), rows.at(0, c + 1), rows.at(2, c + 1),
                                         rows.at(1, c), rows.at(1, c + 2), 0.2));
    }
    REQUIRE(dst[n] == -1);
  }
}

TEST_CASE("terrain solver: the mean elevation is conserved and the range shrinks") {
  std::mt19937 random(dash::test::seed());
  const auto before = random_field(random, 31, 17);
  const auto after = terrain::solve_serially(before, 50, 0.25);
  const auto sum = [](const Field& field) {
    double total = 0;
    for (const double z : field.cells)
      total += z;
    return total;
  };
  CHECK(sum(after) == Approx(sum(before)).epsilon(1e-13));
  const auto [low, high] = std::minmax_element(before.cells.begin(), before.cells.end());
  const auto [later_low, later_high] = std::minmax_element(after.cells.begin(), after.cells.end());
  CHECK(*later_low > *low);
  CHECK(*later_high < *high);
}

TEST_CASE("terrain solver: a flat terrain does not change, nor does any terrain without steps") {
  std::mt19937 random(dash::test::seed());
  Field flat(4, 5);
  for (auto& z : flat.cells)
    z = 512;
  CHECK(equal_to_the_last_bit(terrain::solve_serially(flat, 10, 0.25), flat));
  const auto field = random_field(random, 6, 3);
  CHECK(equal_to_the_last_bit(terrain::solve_serially(field, 0, 0.25), field));
}

}  // namespace
