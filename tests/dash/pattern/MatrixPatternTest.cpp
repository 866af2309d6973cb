// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal modes=auto

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "dash/Algorithm.h"
#include "dash/Array.h"
#include "dash/Collectives.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/util/UnitLocality.h"
#include "support/Catch.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;
using dash::DistributionSpec;
using dash::SizeSpec;
using dash::TeamSpec;
using dash::TILE;

namespace {

constexpr index_t rows = 9;
constexpr index_t cols = 11;

/// Tiles whose extents do not divide the extents of the range.
template <class Pattern>
Pattern uneven_tiles() {
  TeamSpec<2> units(dash::Team::All());
  units.balance_extents();
  return Pattern(SizeSpec<2>(rows, cols), DistributionSpec<2>(TILE(2), TILE(3)), units);
}

int value_at(index_t row, index_t col) {
  return static_cast<int>(100 * row + col);
}

template <class Pattern>
using MatrixOf = dash::Matrix<int, 2, index_t, Pattern>;

/// Writes the caller's elements through native memory.
template <class Pattern>
void fill_local(MatrixOf<Pattern>& matrix) {
  for (auto* element = matrix.lbegin(); element != matrix.lend(); ++element) {
    const auto coords =
        matrix.pattern().global_coords(dash::Team::All().myid(), element - matrix.lbegin());
    *element = value_at(coords[0], coords[1]);
  }
  matrix.barrier();
}

/// Elements of a box in canonical order.
template <class Pattern>
std::vector<int> values_of_box(const dash::ViewSpec<2>& box) {
  std::vector<int> values;
  const SizeSpec<2> sizes(box.extents());
  for (index_t i = 0; i < static_cast<index_t>(box.size()); ++i) {
    const auto coords =
        dash::CartesianIndexSpace<2, Pattern::memory_order()>(sizes.extents()).coords(i, box);
    values.push_back(value_at(coords[0], coords[1]));
  }
  return values;
}

template <class Pattern>
void check_global_access(MatrixOf<Pattern>& matrix) {
  index_t wrong = 0;
  for (index_t row = 0; row < rows; ++row) {
    for (index_t col = 0; col < cols; ++col) {
      const int expected = value_at(row, col);
      wrong += matrix(row, col) == expected && matrix[row][col] == expected ? 0 : 1;
      wrong += matrix.row(row)[col] == expected && matrix.col(col)[row] == expected ? 0 : 1;
      wrong += matrix.begin()[matrix.pattern().global_at({{row, col}})] == expected ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

template <class Pattern>
void check_copies(MatrixOf<Pattern>& matrix) {
  std::vector<int> all(matrix.size());
  dash::copy(matrix.begin(), matrix.end(), all.data());
  index_t wrong = 0;
  for (index_t index = 0; index < rows * cols; ++index) {
    const auto coords = matrix.pattern().coords(index);
    wrong += all[static_cast<std::size_t>(index)] == value_at(coords[0], coords[1]) ? 0 : 1;
  }
  CHECK(wrong == 0);

  auto part = matrix.template sub<0>(2, 5).template sub<1>(1, 9);
  std::vector<int> copied(part.size());
  dash::copy_async(part.begin(), part.end(), copied.data()).wait();
  CHECK(copied == values_of_box<Pattern>(part.viewspec()));
  std::size_t local_size = 0;
  for (const auto& range : dash::local_index_ranges(part.begin(), part.end()).ranges)
    local_size += static_cast<std::size_t>(range.end - range.begin);
  CHECK(part.local_size() == local_size);
}

template <class Pattern>
void check_blocks(MatrixOf<Pattern>& matrix) {
  const auto& pattern = matrix.pattern();
  for (index_t index = 0; index < static_cast<index_t>(pattern.blockspec().size()); ++index) {
    auto block = matrix.block(index);
    std::vector<int> copied(block.size());
    dash::copy(block.begin(), block.end(), copied.data());
    const auto expected = values_of_box<Pattern>(block.viewspec());
    CHECK(copied == expected);
    if (pattern.unit_at(block.offsets()) == dash::Team::All().myid()) {
      CHECK(block.local_size() == block.size());
      CHECK(std::vector<int>(block.lbegin(), block.lend()) == expected);
    } else {
      CHECK(block.local_size() == 0);
    }
  }
  const auto nblocks = static_cast<index_t>(pattern.local_blockspec().size());
  auto* next = matrix.lbegin();
  for (index_t index = 0; index < nblocks; ++index) {
    auto block = matrix.local.block(index);
    CHECK(block.lbegin() == next);
    CHECK(std::vector<int>(block.begin(), block.end()) ==
          values_of_box<Pattern>(pattern.local_block(index)));
    next = block.lend();
  }
  CHECK(next == matrix.lend());
}

/// The local part as a range contains each element of the caller exactly once, and no others.
template <class Pattern>
void check_local_range(MatrixOf<Pattern>& matrix) {
  CHECK(matrix.local.size() == matrix.local_size());
  CHECK(matrix.local.local_size() == matrix.local_size());
  std::vector<int*> locations;
  for (int& element : matrix.local)
    locations.push_back(&element);
  if (!Pattern::mapping_type::has_local_boxes)
    CHECK(std::is_sorted(locations.begin(), locations.end()));
  std::sort(locations.begin(), locations.end());
  std::vector<int*> expected(matrix.local_size());
  std::iota(expected.begin(), expected.end(), matrix.lbegin());
  CHECK(locations == expected);
  CHECK(matrix.local.lbegin() == matrix.lbegin());
  CHECK(matrix.local.lend() == matrix.lend());
}

template <class Pattern>
void check_algorithms(MatrixOf<Pattern>& matrix) {
  long sum = 0;
  for (index_t row = 0; row < rows; ++row) {
    for (index_t col = 0; col < cols; ++col)
      sum += value_at(row, col);
  }
  CHECK(dash::reduce(matrix.begin(), matrix.end(), 0L) == sum);
  const auto last = dash::max_element(matrix.begin(), matrix.end());
  CHECK(*last == value_at(rows - 1, cols - 1));
  matrix.barrier();

  MatrixOf<Pattern> other(matrix.pattern());
  dash::transform(matrix.begin(), matrix.end(), other.begin(), [](int value) { return 2 * value; });
  CHECK(other(3, 4) == 2 * value_at(3, 4));
  other.barrier();
  dash::for_each_with_index(other.begin(), other.end(),
                            [](int& value, index_t index) { value = static_cast<int>(index); });
  index_t wrong = 0;
  for (index_t index = 0; index < rows * cols; ++index)
    wrong += other.begin()[index] == static_cast<int>(index) ? 0 : 1;
  CHECK(wrong == 0);
  other.barrier();

  auto part = other.template sub<0>(1, 6).template sub<1>(2, 7);
  dash::fill(part.begin(), part.end(), -1);
  other.barrier();
  CHECK(std::count(other.begin(), other.end(), -1) == 42);
  CHECK(std::all_of(part.begin(), part.end(), [](int value) { return value == -1; }));
  other.barrier();
}

template <class Pattern>
void check_matrix() {
  MatrixOf<Pattern> matrix(uneven_tiles<Pattern>());
  fill_local(matrix);
  check_global_access(matrix);
  check_copies(matrix);
  check_blocks(matrix);
  check_local_range(matrix);
  check_algorithms(matrix);
  matrix.barrier();
}

}  // namespace

TEST_CASE("Matrix of tiles: elements, copies, blocks and algorithms: as for any matrix") {
  check_matrix<dash::TilePattern<2>>();
  check_matrix<dash::TilePattern<2, dash::COL_MAJOR>>();
}

TEST_CASE(
    "Matrix of round-robin tiles: elements, copies, blocks and algorithms: as for any matrix") {
  check_matrix<dash::ShiftTilePattern<2>>();
  check_matrix<dash::SeqTilePattern<2>>();
}

TEST_CASE(
    "Matrix with the default pattern: stored tile by tile; its local part is addressed by rows") {
  STATIC_REQUIRE(std::is_same_v<dash::Matrix<int, 2>::pattern_type, dash::TilePattern<2>>);
  STATIC_REQUIRE(std::is_same_v<dash::NArray<int, 2>::pattern_type, dash::BlockPattern<2>>);
  dash::Matrix<int, 2> matrix(12, 14 * dash::size(), dash::TILE(3), dash::TILE(7));
  const auto local_rows = static_cast<index_t>(matrix.local.extent(0));
  const auto local_cols = static_cast<index_t>(matrix.local.extent(1));
  CHECK(static_cast<std::size_t>(local_rows * local_cols) == matrix.local_size());
  for (index_t row = 0; row < local_rows; ++row) {
    for (index_t col = 0; col < local_cols; ++col)
      matrix.local[row][col] = static_cast<int>(1000 * row + col);
  }
  const auto& constant = matrix;
  index_t wrong = 0;
  for (index_t row = 0; row < local_rows; ++row) {
    for (index_t col = 0; col < local_cols; ++col) {
      const int expected = static_cast<int>(1000 * row + col);
      wrong += constant.local(row, col) == expected ? 0 : 1;
      wrong += matrix.local.row(row)[col] == expected ? 0 : 1;
      wrong += matrix.local.col(col)[row] == expected ? 0 : 1;
      wrong += matrix.lbegin()[matrix.pattern().local_at({{row, col}})] == expected ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  if (local_rows > 2 && local_cols > 2) {
    auto part = matrix.local.rows(1, 2).cols(1, 2);
    CHECK(std::vector<int>(part.begin(), part.end()) == std::vector<int>{1001, 1002, 2001, 2002});
  }
  CHECK(matrix.local.lbegin() == matrix.lbegin());
  CHECK(matrix.local.lend() == matrix.lend());
  matrix.barrier();
}

TEST_CASE("Array of ranges: elements, copies and algorithms: as for any array") {
  using Pattern = dash::CSRPattern<1>;
  std::vector<std::size_t> sizes;
  for (std::size_t unit = 0; unit < dash::size(); ++unit)
    sizes.push_back(unit % 3 == 1 ? 0 : 3 * unit + 2);
  dash::Array<int, index_t, Pattern> array((Pattern(sizes)));
  CHECK(array.lsize() == sizes[static_cast<std::size_t>(dash::myid().id)]);
  for (std::size_t i = 0; i < array.lsize(); ++i)
    array.local[i] = static_cast<int>(array.pattern().global(static_cast<index_t>(i)));
  array.barrier();
  std::vector<int> copied(array.size());
  std::vector<int> expected(array.size());
  std::iota(expected.begin(), expected.end(), 0);
  dash::copy(array.begin(), array.end(), copied.data());
  CHECK(copied == expected);
  CHECK(dash::reduce(array.begin(), array.end(), 0) ==
        std::accumulate(expected.begin(), expected.end(), 0));
  array.barrier();
}

TEST_CASE("LoadBalancePattern of a team: shares: follow the hardware of its units") {
  const dash::LoadBalancePattern<1> pattern(SizeSpec<1>(1000));
  CHECK(pattern.unit_cpu_weights().size() == dash::size());
  const auto& weights = pattern.unit_load_weights();
  CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) ==
        Approx(static_cast<double>(dash::size())));
  dash::Array<int, index_t, dash::LoadBalancePattern<1>> array(pattern);
  CHECK(array.size() == 1000);
  dash::fill(array.begin(), array.end(), 1);
  array.barrier();
  CHECK(dash::reduce(array.begin(), array.end(), 0) == 1000);
  array.barrier();
}

namespace {

/// An application's measure, which is not noexcept.
struct SameForAll {
  static double weight(const dart_hwinfo_t&) { return 5; }
};

}  // namespace

TEST_CASE("LoadBalancePattern with a user-defined measure: shares: follow the measure") {
  using Pattern = dash::LoadBalancePattern<1, SameForAll, SameForAll>;
  const Pattern pattern(SizeSpec<1>(3 * dash::size()));
  CHECK(pattern.unit_cpu_weights() == std::vector<double>(dash::size(), 1.0));
  CHECK(pattern.local_size() == 3);
}

TEST_CASE("LoadBalancePattern of unequal units: shares: follow cores, clock and memory") {
  using Pattern = dash::LoadBalancePattern<1>;
  if (dash::size() < 2) DASH_SKIP("needs two units");
  // Synthetic capabilities, in a separate team: unit u has computing power 1 + u and bandwidth 1 +
  // 2 u.
  dash::Team team = std::move(dash::Team::All().split(1));
  REQUIRE(dart_team_locality_measure(team.dart_id()) == DART_OK);
  const auto placements = dash::dart::unit_placements();
  const auto n = team.size();
  for (std::size_t unit = 0; unit < n; ++unit) {
    const dash::team_unit_t id(static_cast<int>(unit));
    auto& hardware = dash::util::UnitLocality(team, id).hwinfo();
    const double cores = placements[unit].core_share;
    REQUIRE(cores > 0);
    hardware.max_cpu_mhz = static_cast<int>(1e6 * static_cast<double>(1 + unit) / cores);
    hardware.max_shmem_mbps = static_cast<int>(1000 * (1 + 2 * unit));
  }
  const std::size_t whole = 100'003;
  const Pattern pattern(SizeSpec<1>(whole), team);
  const auto units = static_cast<double>(n);
  std::size_t sum = 0;
  for (std::size_t unit = 0; unit < n; ++unit) {
    const auto u = static_cast<double>(unit);
    const double cpu = 2 * (1 + u) / (units + 1);
    const double memory = (1 + 2 * u) / units;
    CHECK(pattern.unit_cpu_weights()[unit] == Approx(cpu).epsilon(1e-4));
    CHECK(pattern.unit_membw_weights()[unit] == Approx(memory));
    CHECK(pattern.unit_load_weights()[unit] == Approx((cpu + memory) / 2).epsilon(1e-4));
    const auto size = pattern.local_size(dash::team_unit_t(static_cast<int>(unit)));
    CHECK(static_cast<double>(size) ==
          Approx(static_cast<double>(whole) / units * (cpu + memory) / 2).margin(2).epsilon(1e-4));
    sum += size;
  }
  CHECK(sum == whole);
  // Equal on all units: each unit contributes its local size.
  const auto sizes = dash::allgather_async(pattern.local_size(), team).get();
  for (std::size_t unit = 0; unit < n; ++unit)
    CHECK(sizes[unit] == pattern.local_size(dash::team_unit_t(static_cast<int>(unit))));
  // If the bandwidth of one unit is unknown, all are assumed equal in that respect.
  dash::util::UnitLocality(team, dash::team_unit_t(1)).hwinfo().max_shmem_mbps = -1;
  CHECK(Pattern(SizeSpec<1>(whole), team).unit_membw_weights() == std::vector<double>(n, 1.0));
}

TEST_CASE("make_pattern of a team: uses all units, and covers all elements") {
  using namespace dash;
  const auto pattern = make_pattern(SizeSpec<2>(30, 40));
  CHECK(pattern.num_units() == Team::All().size());
  using Equal = pattern_partitioning_properties<pattern_partitioning_tag::balanced>;
  using Diagonal = pattern_mapping_properties<pattern_mapping_tag::diagonal>;
  using Blocked = pattern_layout_properties<pattern_layout_tag::blocked>;
  const auto extent = 4 * Team::All().size();
  const auto shifted = make_pattern<Equal, Diagonal, Blocked>(SizeSpec<2>(extent, extent));
  CHECK(shifted.local_size() == extent * extent / Team::All().size());
  Matrix<int, 2, index_t, std::remove_const_t<decltype(shifted)>> matrix(shifted);
  matrix.barrier();
}
