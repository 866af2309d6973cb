// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,poll
//
// Compares copies of boxes of one to four dimensions with plain arrays, with default settings and
// with thresholds so small that small data takes every transfer path.

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/algorithm/Copy.h"
#include "dash/core/Settings.h"
#include "support/Catch.h"
#include "support/Pick.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;
using dash::test::pick;
using dash::test::pick_distribution;
using dash::test::Random;

namespace {

using dash::core::Settings;

/// Settings with values below the minimum that the environment may set.
std::vector<Settings> make_transfer_settings() {
  std::vector<Settings> all_settings(4, dash::core::settings());
  all_settings[1].copy_queue_min = 1;
  all_settings[1].copy_chunk = 48;
  all_settings[1].nontemporal_min = 64;
  all_settings[1].rma_fragment = 24;
  all_settings[1].rma_block_min = 1;
  all_settings[1].copy_buffer = 40;
  all_settings[2].copy_queue_min = 100;
  all_settings[2].copy_chunk = 1024;
  all_settings[2].nontemporal_min = 512;
  all_settings[2].rma_fragment = 64;
  all_settings[2].rma_block_min = 16;
  all_settings[2].copy_buffer = 1;
  all_settings[3].rma_block_min = std::size_t{1} << 20;
  all_settings[3].rma_fragment = 16;
  return all_settings;
}

dash::Distribution pick_array_distribution(Random& random) {
  const dash::Distribution distribution = pick_distribution(random);
  return distribution == dash::NONE ? dash::BLOCKED : distribution;
}

/// Applies settings during the lifetime of the object, while no unit has operations in flight.
class SettingsScope {
 public:
  explicit SettingsScope(const Settings& settings) : _before(dash::core::settings()) {
    dash::barrier();
    dash::core::replace_settings(settings);
  }
  ~SettingsScope() {
    dash::barrier();
    dash::core::replace_settings(_before);
  }
  SettingsScope(const SettingsScope&) = delete;
  SettingsScope& operator=(const SettingsScope&) = delete;

 private:
  const Settings _before;
};

/// A box of a matrix, and the linear global indices of its elements in order.
template <class Matrix>
struct Box {
  using Iterator = dash::GlobViewIter<typename Matrix::value_type, typename Matrix::pattern_type>;

  Iterator begin;
  std::vector<std::size_t> indices;
};

template <std::size_t N, class Matrix>
Box<Matrix> pick_box(Matrix& matrix, Random& random) {
  const auto& pattern = matrix.pattern();
  std::array<index_t, N> offsets{};
  std::array<dash::default_size_t, N> extents{};
  index_t size = 1;
  for (std::size_t d = 0; d < N; ++d) {
    const auto extent = static_cast<index_t>(pattern.extents()[d]);
    offsets[d] = pick(random, 0, extent - 1);
    const auto length = pick(random, 1, extent - offsets[d]);
    extents[d] = static_cast<dash::default_size_t>(length);
    size *= length;
  }
  const dash::ViewSpec<N> view(offsets, extents);
  Box<Matrix> box{{&matrix.begin().globmem(), pattern, view}, {}};
  for (index_t i = 0; i < size; ++i) {
    std::array<index_t, N> coords{};
    index_t left = i;
    for (std::size_t d = N; d-- > 0;) {
      const auto extent = static_cast<index_t>(extents[d]);
      coords[d] = offsets[d] + left % extent;
      left /= extent;
    }
    box.indices.push_back(static_cast<std::size_t>(pattern.global_at(coords)));
  }
  return box;
}

template <class Container>
std::vector<int> contents(Container& container) {
  std::vector<int> values(container.size());
  dash::copy(container.begin(), container.end(), values.data());
  dash::barrier();
  return values;
}

/// Copies from and to random boxes. All units use the same random numbers; they take turns in
/// writing.
template <std::size_t N, class Matrix>
void check_boxes(Matrix& matrix, Random& random, int rounds) {
  std::vector<int> model(matrix.size());
  std::iota(model.begin(), model.end(), 1);
  for (auto* element = matrix.lbegin(); element != matrix.lend(); ++element)
    *element = 1 + static_cast<int>(matrix.pattern().global(element - matrix.lbegin()));
  // Three guard elements before the elements of each unit, and four after them.
  const std::size_t elements_per_unit = matrix.size() + 7;
  dash::Array<int> array(elements_per_unit * dash::size(), pick_array_distribution(random));
  const index_t own = static_cast<index_t>(elements_per_unit) * dash::myid() + 3;
  dash::barrier();
  for (int round = 0; round < rounds; ++round) {
    const auto box = pick_box<N>(matrix, random);
    const auto size = static_cast<index_t>(box.indices.size());
    const auto first = pick(random, 0, size);
    const auto last = pick(random, first, size);
    CAPTURE(round, box.begin, first, last);
    std::vector<int> expected;
    for (index_t i = first; i < last; ++i)
      expected.push_back(model[box.indices[static_cast<std::size_t>(i)]]);

    std::vector<int> out(expected.size() + 1, -7);
    CHECK(dash::copy(box.begin + first, box.begin + last, out.data()) ==
          out.data() + expected.size());
    CHECK(out.back() == -7);
    out.pop_back();
    CHECK(out == expected);
    std::fill(out.begin(), out.end(), 0);
    dash::copy_async(box.begin + first, box.begin + last, out.data()).wait();
    CHECK(out == expected);
    dash::barrier();

    for (auto& value : expected)
      value += 1000 * (round + 1);
    for (index_t i = first; i < last; ++i) {
      model[box.indices[static_cast<std::size_t>(i)]] =
          expected[static_cast<std::size_t>(i - first)];
    }
    const bool writes = round % static_cast<int>(dash::size()) == dash::myid();
    const auto* const begin = expected.data();
    const auto* const end = begin + expected.size();
    if (writes && round % 2 == 0) {
      CHECK(dash::copy(begin, end, box.begin + first) == box.begin + last);
    } else if (writes) {
      CHECK(dash::copy_async(begin, end, box.begin + first).get() == box.begin + last);
    }
    dart_barrier(DART_TEAM_ALL);
    CHECK(contents(matrix) == model);

    // To an array, on all units at the same time, and back.
    const auto copy = array.begin() + own;
    CHECK(dash::copy(box.begin + first, box.begin + last, copy) == copy + (last - first));
    dart_barrier(DART_TEAM_ALL);
    const std::vector<int> copied = contents(array);
    CHECK(std::equal(expected.begin(), expected.end(), copied.begin() + own));
    if (writes) dash::copy_async(copy, copy + (last - first), box.begin + first).wait();
    dart_barrier(DART_TEAM_ALL);
    CHECK(contents(matrix) == model);
  }
}

template <std::size_t N>
void check_random_matrix(Random& random, index_t largest) {
  std::array<dash::default_size_t, N> extents{};
  std::array<dash::Distribution, N> distributions{};
  bool distributed = false;
  for (std::size_t d = 0; d < N; ++d) {
    extents[d] = static_cast<dash::default_size_t>(pick(random, 1, largest));
    distributions[d] = pick_distribution(random);
    if (d + 1 == N && !distributed) distributions[d] = dash::BLOCKED;
    distributed = distributed || !(distributions[d] == dash::NONE);
  }
  dash::Matrix<int, N> matrix{dash::SizeSpec<N>(extents), dash::DistributionSpec<N>(distributions)};
  check_boxes<N>(matrix, random, 4);
}

}  // namespace

TEST_CASE("copy of boxes of matrices of two to four dimensions, by every transfer path") {
  Random random(dash::test::seed());
  for (const Settings& settings : make_transfer_settings()) {
    CAPTURE(dash::core::tuned_values(settings));
    const SettingsScope scope(settings);
    for (int i = 0; i < 2; ++i) {
      check_random_matrix<2>(random, 24);
      check_random_matrix<3>(random, 9);
      check_random_matrix<4>(random, 6);
    }
  }
}

TEST_CASE("copy of ranges and boxes of arrays, by every transfer path") {
  Random random(dash::test::seed() + 1);
  for (const Settings& settings : make_transfer_settings()) {
    CAPTURE(dash::core::tuned_values(settings));
    const SettingsScope scope(settings);
    for (int i = 0; i < 3; ++i) {
      dash::Array<int> array(static_cast<std::size_t>(pick(random, 1, 300)),
                             pick_array_distribution(random));
      check_boxes<1>(array, random, 3);
    }
  }
}

TEST_CASE("copy of boxes of tiled matrices, by every transfer path") {
  Random random(dash::test::seed() + 2);
  for (const Settings& settings : make_transfer_settings()) {
    CAPTURE(dash::core::tuned_values(settings));
    const SettingsScope scope(settings);
    const dash::SizeSpec<2> extents(12 * dash::size(), 12 * dash::size());
    const dash::DistributionSpec<2> tiles(dash::TILE(3), dash::TILE(4));
    dash::Matrix<int, 2, index_t, dash::TilePattern<2>> tiled(extents, tiles);
    check_boxes<2>(tiled, random, 2);
    dash::Matrix<int, 2, index_t, dash::SeqTilePattern<2>> sequential(extents, tiles);
    check_boxes<2>(sequential, random, 2);
  }
}

TEST_CASE("copy of large elements and large ranges, on each unit from all units at the same time") {
  struct Large {
    double values[5];
    int number;
  };
  for (const Settings& settings : make_transfer_settings()) {
    CAPTURE(dash::core::tuned_values(settings));
    const SettingsScope scope(settings);
    const auto n = static_cast<index_t>(dash::size());
    const index_t part = settings.rma_fragment > 1024 ? 20'000 : 500;
    for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(7)}) {
      dash::Array<Large> array(static_cast<std::size_t>(part * n), distribution);
      for (auto* element = array.lbegin(); element != array.lend(); ++element)
        element->number = static_cast<int>(array.pattern().global(element - array.lbegin()));
      array.barrier();
      std::vector<Large> out(array.size());
      auto future = dash::copy_async(array.begin(), array.end(), out.data());
      std::vector<Large> again(array.size());
      dash::copy(array.begin(), array.end(), again.data());
      future.wait();
      index_t wrong = 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        wrong += out[i].number == static_cast<int>(i) ? 0 : 1;
        wrong += again[i].number == static_cast<int>(i) ? 0 : 1;
      }
      CHECK(wrong == 0);
      array.barrier();
    }
  }
}

TEST_CASE("copy of a matrix of a sub-team, by every transfer path") {
  Random random(dash::test::seed() + 3);
  dash::Team& team = dash::size() > 1 ? dash::Team::All().split(2) : dash::Team::All();
  for (const Settings& settings : make_transfer_settings()) {
    CAPTURE(dash::core::tuned_values(settings));
    const SettingsScope scope(settings);
    dash::Matrix<int, 2> matrix(dash::SizeSpec<2>(13, 17),
                                dash::DistributionSpec<2>(dash::BLOCKED, dash::NONE), team);
    for (auto* element = matrix.lbegin(); element != matrix.lend(); ++element)
      *element = static_cast<int>(matrix.pattern().global(element - matrix.lbegin()));
    team.barrier();
    for (int round = 0; round < 5; ++round) {
      const auto box = pick_box<2>(matrix, random);
      std::vector<int> out(box.indices.size());
      const auto end = box.begin + static_cast<index_t>(out.size());
      if (round % 2 == 0) {
        dash::copy(box.begin, end, out.data());
      } else {
        dash::copy_async(box.begin, end, out.data()).wait();
      }
      CHECK(std::equal(
          out.begin(), out.end(), box.indices.begin(), box.indices.end(),
          [](int value, std::size_t index) { return value == static_cast<int>(index); }));
    }
    team.barrier();
  }
}
