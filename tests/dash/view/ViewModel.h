#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/View.h"
#include "support/Catch.h"
#include "support/Pick.h"
#include "support/Runner.h"

/// \file
/// Compares views with vectors of coordinates: the selection of a chain of expressions, element by
/// element.

using index_t = dash::default_index_t;

using dash::test::pick;
using dash::test::pick_distribution;
using dash::test::Random;

/// The expected elements of a view: for each dimension, their global coordinates.
template <std::size_t N>
struct Model {
  using Coords = std::array<index_t, N>;

  std::array<std::vector<index_t>, N> dims;
  bool local = false;

  index_t size() const {
    index_t size = 1;
    for (const auto& dim : dims)
      size *= static_cast<index_t>(dim.size());
    return size;
  }

  Coords at(index_t position) const {
    Coords coords{};
    for (std::size_t d = N; d-- > 0;) {
      const auto extent = static_cast<index_t>(dims[d].size());
      coords[d] = dims[d][static_cast<std::size_t>(position % extent)];
      position /= extent;
    }
    return coords;
  }

  /// Keeps the elements that satisfy a condition. The result must be a product of coordinates
  /// again.
  template <class Condition>
  void filter(Condition condition) {
    std::array<std::set<index_t>, N> left;
    index_t count = 0;
    for (index_t i = 0; i < size(); ++i) {
      const auto coords = at(i);
      if (!condition(coords)) continue;
      ++count;
      for (std::size_t d = 0; d < N; ++d)
        left[d].insert(coords[d]);
    }
    for (std::size_t d = 0; d < N; ++d)
      dims[d].assign(left[d].begin(), left[d].end());
    REQUIRE(size() == count);
  }
};

/// Number of differences between a view and its model: elements, extents, indices, their inverse,
/// iterators.
template <class View, std::size_t N>
index_t count_wrong(const View& view, const Model<N>& model) {
  const auto& pattern = view.pattern();
  const auto indices = dash::index(view);
  const auto global = indices.global();
  const auto inverse = indices.pre();
  index_t wrong = static_cast<index_t>(view.size()) == model.size() ? 0 : 1;
  wrong += view.is_local() == model.local ? 0 : 1;
  if (wrong > 0) return wrong;
  for (std::size_t d = 0; d < N && model.size() > 0; ++d)
    wrong += view.extents()[d] == model.dims[d].size() ? 0 : 1;
  auto it = view.begin();
  for (index_t i = 0; i < model.size(); ++i, ++it) {
    const auto coords = model.at(i);
    const index_t expected = pattern.global_at(coords);
    const index_t index = model.local ? pattern.local_index(coords).index : expected;
    wrong += view[i] == expected ? 0 : 1;
    wrong += *it == expected ? 0 : 1;
    wrong += view.begin()[i] == expected && *(view.end() - (model.size() - i)) == expected ? 0 : 1;
    wrong += indices[i] == index && global[i] == expected ? 0 : 1;
    wrong += inverse[index] == i && global.pre()[expected] == i ? 0 : 1;
  }
  wrong += it == view.end() ? 0 : 1;
  for (index_t i = 0; i < static_cast<index_t>(pattern.size()); ++i) {
    const index_t position = global.pre()[i];
    wrong += position < 0 || global[position] == i ? 0 : 1;
  }
  return wrong;
}

/// Applies random expressions to a view and to its model. Each view is resolved to a view of the
/// container, to limit the number of types.
/// \tparam Unstrided  no strided views and intersections, which have additional types
template <class Container, std::size_t N, bool Unstrided>
class Walk {
 public:
  Walk(Container& container, Random& random) : _container(container), _random(random) {}

  template <class View>
  void check(const View& view, const Model<N>& model, int depth) {
    CAPTURE(depth, model.local, model.dims);
    CHECK(count_wrong(view, model) == 0);
    check_blocks(view, model);
    if (depth == 0) return;
    switch (pick(_random, 0, Unstrided ? 2 : 4)) {
      case 0:
        return take_sub(view, model, depth);
      case 1:
        return take_local(view, model, depth);
      case 2:
        return take_block(view, model, depth);
      default:
        if constexpr (!Unstrided) {
          if (pick(_random, 0, 1) == 0) return take_strided(view, model, depth);
          return take_intersection(view, model, depth);
        }
    }
  }

 private:
  template <class View>
  void continue_walk(const View& view, const Model<N>& model, int depth) {
    check(dash::apply(view), model, depth - 1);
  }

  template <class View>
  void take_sub(const View& view, Model<N> model, int depth) {
    auto& dim = model.dims[N - 1];
    const auto first = pick(_random, 0, static_cast<index_t>(dim.size()));
    const auto last = pick(_random, first, static_cast<index_t>(dim.size()));
    dim = {dim.begin() + first, dim.begin() + last};
    auto& front = model.dims[0];
    const auto end = pick(_random, 0, static_cast<index_t>(front.size()));
    front = {front.begin(), front.begin() + end};
    continue_walk(view | dash::sub<N - 1>(first, last) | dash::sub<0>(0, end), model, depth);
  }

  template <class View>
  void take_strided(const View& view, Model<N> model, int depth) {
    const auto step = pick(_random, 1, 4);
    auto& dim = model.dims[N - 1];
    std::vector<index_t> left;
    for (std::size_t i = 0; i < dim.size(); i += static_cast<std::size_t>(step))
      left.push_back(dim[i]);
    dim = left;
    continue_walk(dash::strided<N - 1>(step, view), model, depth);
  }

  template <class View>
  void take_local(const View& view, Model<N> model, int depth) {
    const auto& pattern = _container.pattern();
    for (const auto unit : pattern.team()) {
      Model<N> remote = model;
      remote.filter([&](const auto& coords) { return pattern.unit_at(coords).id == unit; });
      if constexpr (!View::is_local()) {
        const auto elements = dash::remote(dash::team_unit_t(unit), view);
        CHECK(static_cast<index_t>(elements.size()) == remote.size());
        const auto global = dash::index(elements).global();
        for (index_t i = 0; i < std::min<index_t>(elements.size(), remote.size()); ++i) {
          CHECK(elements[i] == pattern.global_at(remote.at(i)));
          CHECK(global[i] == pattern.global_at(remote.at(i)));
          CHECK(dash::index(elements)[i] == pattern.local_index(remote.at(i)).index);
        }
      }
    }
    model.filter(
        [&](const auto& coords) { return pattern.unit_at(coords) == pattern.team().myid(); });
    model.local = true;
    continue_walk(dash::local(view), model, depth);
  }

  /// The index of a block in blocks(view).
  index_t block_index(const Model<N>& model, const typename Model<N>::Coords& coords) const {
    const auto& pattern = _container.pattern();
    return model.local ? pattern.local_block_at(coords).index : pattern.block_at(coords);
  }

  template <class View>
  void check_blocks(const View& view, const Model<N>& model) {
    std::set<index_t> expected;
    for (index_t i = 0; i < model.size(); ++i)
      expected.insert(block_index(model, model.at(i)));
    const auto blocks = dash::blocks(view);
    const auto numbers = dash::index(blocks);
    CHECK(std::vector<index_t>(numbers.begin(), numbers.end()) ==
          std::vector<index_t>(expected.begin(), expected.end()));
    index_t elements = 0;
    for (const auto& block : blocks)
      elements += static_cast<index_t>(block.size());
    CHECK(elements == model.size());
  }

  template <class View>
  void take_block(const View& view, Model<N> model, int depth) {
    const auto blocks = dash::blocks(view);
    if (blocks.empty()) return;
    const auto n = pick(_random, 0, static_cast<index_t>(blocks.size()) - 1);
    const auto number = dash::index(blocks)[n];
    model.filter([&](const auto& coords) { return block_index(model, coords) == number; });
    continue_walk(dash::block(n, view), model, depth);
  }

  template <class View>
  void take_intersection(const View& view, Model<N> model, int depth) {
    const auto extent = static_cast<index_t>(_container.pattern().extent(0));
    const auto first = pick(_random, 0, extent);
    const auto last = pick(_random, first, extent);
    const auto step = pick(_random, 1, 3);
    const bool strided = pick(_random, 0, 1) == 1;
    model.filter([&](const auto& coords) {
      const bool inside = coords[0] >= first && coords[0] < last;
      return inside && (!strided || (coords[0] - first) % step == 0);
    });
    const auto other = dash::sub<0>(first, last, _container);
    if (strided) {
      continue_walk(dash::intersect(view, dash::strided<0>(step, other)), model, depth);
    } else {
      continue_walk(dash::intersect(view, other), model, depth);
    }
  }

  Container& _container;
  Random& _random;
};

/// Sets each element to its linear global index.
template <class Container>
void number_elements(Container& container) {
  auto* element = container.lbegin();
  for (index_t local = 0; element != container.lend(); ++element, ++local)
    *element = container.pattern().global(local);
  dash::barrier();
}

/// Uses separate random numbers on each unit: the number of draws depends on the unit's part of the
/// views.
template <class Container, dash::dim_t N, bool Unstrided = false>
void check_random_views(Container& container, Random random, int walks) {
  number_elements(container);
  Model<N> model;
  for (std::size_t d = 0; d < static_cast<std::size_t>(N); ++d) {
    for (index_t i = 0; i < static_cast<index_t>(container.pattern().extents()[d]); ++i)
      model.dims[d].push_back(i);
  }
  for (int walk = 0; walk < walks; ++walk) {
    const auto last = static_cast<index_t>(container.pattern().extent(0));
    Walk<Container, N, Unstrided>(container, random)
        .check(dash::sub<0>(0, last, container), model, 5);
  }
  dash::barrier();
}
