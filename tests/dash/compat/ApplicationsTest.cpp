// dash-test: parallel units=1,2,3,4 layouts=node,nolocal

// Programs in the form of applications for DASH 0.4: the Cowichan problems, heat equations and
// sorting. Each result is compared with that of a serial program.

#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "dash/halo/HaloMatrixWrapper.h"
#include "support/Catch.h"

namespace {

using dash::Array;
using dash::Matrix;
using dash::NArray;
using dash::Shared;

using uchar = unsigned char;

template <class T>
bool is_close(const T& a, const T& b) {
  return a == b;
}
bool is_close(double a, double b) {
  return std::abs(a - b) <= 1e-11 * (1 + std::abs(b));
}

/// Number of the caller's elements that differ from those of a serial program.
/// \param expected  all elements, in the order of the container's global indices
template <class ContainerT, class T>
int count_wrong(const ContainerT& container, const std::vector<T>& expected) {
  if (container.size() != expected.size()) return -1;
  int wrong = 0;
  for (long i = 0; i < container.lend() - container.lbegin(); ++i) {
    const T value = expected[container.pattern().global(i)];
    wrong += is_close(container.lbegin()[i], value) ? 0 : 1;
  }
  return wrong;
}

// --- The Cowichan problems ----------------------------------------------------------------------

/// A marked element of the matrix.
struct Point {
  uchar value;
  int row;
  int col;
};
bool operator<(const Point& a, const Point& b) {
  return std::tie(a.value, a.row, a.col) < std::tie(b.value, b.row, b.col);
}
bool operator==(const Point& a, const Point& b) {
  return std::tie(a.value, a.row, a.col) == std::tie(b.value, b.row, b.col);
}
double distance(const Point& a, const Point& b) {
  return std::hypot(a.row - b.row, a.col - b.col);
}

/// Each row has its own generator, so that the matrix does not depend on the number of units.
void fill_row(unsigned seed, uchar* first, uchar* last) {
  for (; first != last; ++first) {
    seed = 1664525U * seed + 1013904223U;
    *first = static_cast<uchar>((seed >> 16) % 100);
  }
}

/// The largest value that at least `percent` per cent of the elements reach.
unsigned threshold_of(const unsigned* histogram, unsigned nvalues, std::size_t size,
                      unsigned percent) {
  std::size_t reached = 0;
  unsigned value = nvalues;
  while (value > 0 && reached * 100 < size * percent)
    reached += histogram[--value];
  return value;
}

void randmat(NArray<uchar, 2>& matrix, unsigned seed) {
  const auto& pattern = matrix.pattern();
  for (unsigned i = 0; i < matrix.local.extent(0); ++i) {
    const auto row = pattern.global({i, 0})[0];
    fill_row(seed + static_cast<unsigned>(row), matrix.local.row(i).lbegin(),
             matrix.local.row(i).lend());
  }
  matrix.barrier();
}

void thresh(const NArray<uchar, 2>& matrix, NArray<bool, 2>& mask, unsigned percent) {
  const uchar max = *dash::max_element(matrix.begin(), matrix.end());
  const unsigned nvalues = max + 1U;
  Array<unsigned> histogram(nvalues * dash::size(), dash::BLOCKED);
  dash::fill(histogram.begin(), histogram.end(), 0U);
  for (auto value = matrix.lbegin(); value != matrix.lend(); ++value)
    ++histogram.local[*value];
  histogram.barrier();
  if (dash::myid() != 0) {
    dash::transform<unsigned>(histogram.lbegin(), histogram.lend(), histogram.begin(),
                              histogram.begin(), dash::plus<unsigned>());
  }
  histogram.barrier();

  unsigned threshold = 0;
  if (dash::myid() == 0)
    threshold = threshold_of(histogram.lbegin(), nvalues, matrix.size(), percent);
  dart_bcast(&threshold, 1, DART_TYPE_UINT, dash::team_unit_t{0}, DART_TEAM_ALL);
  std::transform(matrix.lbegin(), matrix.lend(), mask.lbegin(),
                 [=](uchar value) { return value >= threshold; });
  mask.barrier();
}

/// Selects marked points at equal distances in the order of their values.
void winnow(const NArray<uchar, 2>& matrix, const NArray<bool, 2>& mask, Array<Point>& points) {
  const auto& pattern = matrix.pattern();
  std::vector<Point> own;
  for (unsigned i = 0; i < matrix.local.extent(0); ++i) {
    const auto row = static_cast<int>(pattern.global({i, 0})[0]);
    for (unsigned j = 0; j < matrix.local.extent(1); ++j) {
      if (mask.local[i][j]) own.push_back({matrix.local(i, j), row, static_cast<int>(j)});
    }
  }
  const unsigned num_own = static_cast<unsigned>(own.size());
  std::vector<unsigned> counts(dash::size());
  dart_allgather(&num_own, counts.data(), 1, DART_TYPE_UINT, matrix.team().dart_id());

  using PatternT = dash::CSRPattern<1>;
  const std::vector<PatternT::size_type> local_sizes(counts.begin(), counts.end());
  Array<Point, PatternT::index_type, PatternT> found{PatternT(local_sizes)};
  std::copy(own.begin(), own.end(), found.lbegin());
  found.barrier();
  dash::sort(found.begin(), found.end(),
             [](const Point& p) { return (p.value * 1000L + p.row) * 1000L + p.col; });

  const auto stride = found.size() / points.size();
  for (unsigned i = 0; i < points.lsize(); ++i)
    points.local[i] = found[points.pattern().global(i) * stride];
  points.barrier();
}

/// Distances of all points from each other and from the origin. Large elements of the diagonal
/// make the matrix diagonally dominant.
void outer(const Array<Point>& points, NArray<double, 2>& matrix, Array<double>& vector) {
  std::vector<Point> all(points.size());
  dash::copy(points.begin(), points.end(), all.data());
  for (unsigned i = 0; i < matrix.local.extent(0); ++i) {
    const auto row = matrix.pattern().global({i, 0})[0];
    double* const elements = matrix.local.row(i).lbegin();
    for (std::size_t j = 0; j < all.size(); ++j)
      elements[j] = distance(all[row], all[j]);
    elements[row] = all.size() * *std::max_element(elements, matrix.local.row(i).lend());
    vector.local[i] = distance(all[row], Point{});
  }
  matrix.barrier();
  vector.barrier();
}

void product(const NArray<double, 2>& matrix, const Array<double>& vector, Array<double>& result) {
  std::vector<double> whole(vector.size());
  dash::copy(vector.begin(), vector.end(), whole.data());
  for (unsigned i = 0; i < matrix.local.extent(0); ++i) {
    const auto row = matrix.local.row(i);
    result.local[i] = std::inner_product(row.lbegin(), row.lend(), whole.begin(), 0.0);
  }
  result.barrier();
}

/// The results of all problems, computed by one unit.
struct SerialChain {
  SerialChain(unsigned nrows, unsigned ncols, unsigned seed, unsigned percent, std::size_t npoints)
      : matrix(nrows * ncols), distances(npoints * npoints), vector(npoints), result(npoints) {
    std::vector<unsigned> histogram(256);
    for (unsigned row = 0; row < nrows; ++row)
      fill_row(seed + row, &matrix[row * ncols], &matrix[row * ncols] + ncols);
    for (const uchar value : matrix)
      ++histogram[value];
    const auto threshold = threshold_of(histogram.data(), 256, matrix.size(), percent);
    std::vector<Point> found;
    for (unsigned i = 0; i < matrix.size(); ++i) {
      mask.push_back(matrix[i] >= threshold);
      if (mask[i]) found.push_back({matrix[i], int(i / ncols), int(i % ncols)});
    }
    std::sort(found.begin(), found.end());
    for (std::size_t i = 0; i < npoints; ++i)
      points.push_back(found.at(i * (found.size() / npoints)));
    for (std::size_t i = 0; i < npoints; ++i) {
      double* const row = &distances[i * npoints];
      for (std::size_t j = 0; j < npoints; ++j)
        row[j] = distance(points[i], points[j]);
      row[i] = npoints * *std::max_element(row, row + npoints);
      vector[i] = std::hypot(points[i].row, points[i].col);
    }
    for (std::size_t i = 0; i < npoints; ++i)
      result[i] = std::inner_product(vector.begin(), vector.end(), &distances[i * npoints], 0.0);
  }

  std::vector<uchar> matrix;
  std::vector<bool> mask;
  std::vector<Point> points;
  std::vector<double> distances;
  std::vector<double> vector;
  std::vector<double> result;
};

// --- Heat equations -----------------------------------------------------------------------------

constexpr double conductivity = 0.1;

template <dash::dim_t N>
using HeatMatrix = Matrix<double, N, dash::default_index_t, dash::Pattern<N>>;
template <dash::dim_t N>
using HeatStencil = dash::halo::StencilSpec<dash::halo::StencilPoint<N>, 2 * N>;
template <dash::dim_t N>
using HeatCoords = std::array<dash::default_index_t, N>;

/// The temperature at the beginning, and that of the surroundings.
template <class CoordsT>
double initial_temperature(const CoordsT& coords) {
  double temperature = 10;
  for (const auto coord : coords)
    temperature = 0.75 * temperature + static_cast<double>(coord * coord % 23);
  return temperature;
}

/// The heat equation on one unit.
/// \param cyclic  whether the domain is a torus; otherwise the surroundings have fixed temperatures
template <dash::dim_t N>
std::vector<double> serial_heat(const HeatCoords<N>& extents, bool cyclic, int nsteps) {
  const auto coords_at = [&](std::size_t position) {
    HeatCoords<N> coords;
    for (auto d = N; d-- > 0;) {
      coords[d] = static_cast<long>(position) % extents[d];
      position /= static_cast<std::size_t>(extents[d]);
    }
    return coords;
  };
  std::vector<double> values;
  const long size = std::accumulate(extents.begin(), extents.end(), 1L, std::multiplies<>());
  for (long i = 0; i < size; ++i)
    values.push_back(initial_temperature(coords_at(i)));
  const auto value_at = [&](HeatCoords<N> coords) {
    long position = 0;
    for (dash::dim_t d = 0; d < N; ++d) {
      const long inside = (coords[d] + extents[d]) % extents[d];
      if (inside != coords[d] && !cyclic) return initial_temperature(coords);
      position = position * extents[d] + inside;
    }
    return values[position];
  };
  for (int step = 0; step < nsteps; ++step) {
    auto next = values;
    for (std::size_t i = 0; i < next.size(); ++i) {
      for (dash::dim_t d = 0; d < N; ++d) {
        auto before = coords_at(i);
        auto after = before;
        --before[d];
        ++after[d];
        next[i] += conductivity * (value_at(before) - 2 * values[i] + value_at(after));
      }
    }
    values = next;
  }
  return values;
}

template <dash::dim_t N>
double total_energy(const HeatMatrix<N>& matrix, Array<double>& partial) {
  *partial.lbegin() = std::accumulate(matrix.lbegin(), matrix.lend(), 0.0);
  partial.barrier();
  const double energy = std::accumulate(partial.begin(), partial.end(), 0.0);
  partial.barrier();
  return energy;
}

/// Solves the heat equation with two matrices and compares the result with that of serial_heat().
template <dash::dim_t N>
void check_heat(const dash::SizeSpec<N>& sizes, const HeatStencil<N>& stencil,
                const dash::halo::GlobalBoundarySpec<N>& bounds) {
  constexpr int nsteps = 12;
  std::array<dash::Distribution, N> blocked;
  blocked.fill(dash::BLOCKED);
  dash::TeamSpec<N> team_spec(dash::Team::All());
  team_spec.balance_extents();
  const dash::Pattern<N> pattern(sizes, dash::DistributionSpec<N>(blocked), team_spec,
                                 dash::Team::All());
  HeatMatrix<N> matrix(pattern);
  HeatMatrix<N> matrix2(pattern);
  Array<double> energy(dash::size());
  for (std::size_t i = 0; i < matrix.local_size(); ++i)
    matrix.lbegin()[i] = initial_temperature(pattern.coords(pattern.global(i)));

  using WrapperT = dash::halo::HaloMatrixWrapper<HeatMatrix<N>>;
  WrapperT halo(matrix, bounds, stencil);
  WrapperT halo2(matrix2, bounds, stencil);
  const auto surroundings = [](const HeatCoords<N>& coords) { return initial_temperature(coords); };
  halo.set_custom_halos(surroundings);
  halo2.set_custom_halos(surroundings);
  auto stencil_op = halo.stencil_operator(stencil);
  auto stencil_op2 = halo2.stencil_operator(stencil);
  auto* current = &halo;
  auto* next = &halo2;
  auto* current_op = &stencil_op;
  auto* next_op = &stencil_op2;
  const double initial_energy = total_energy<N>(matrix, energy);
  for (int step = 0; step < nsteps; ++step) {
    double* const target = next->matrix().lbegin();
    const auto update = [&](const auto& it) {
      double sum = -2.0 * N * *it;
      for (std::size_t i = 0; i < HeatStencil<N>::num_stencil_points(); ++i)
        sum += it.value_at(i);
      target[it.lpos()] = *it + conductivity * sum;
    };
    current->update_async();
    for (auto it = current_op->inner.begin(); it != current_op->inner.end(); ++it)
      update(it);
    current->wait();
    for (auto it = current_op->boundary.begin(); it != current_op->boundary.end(); ++it)
      update(it);
    std::swap(current, next);
    std::swap(current_op, next_op);
    current->matrix().barrier();
  }

  HeatCoords<N> extents;
  std::copy_n(sizes.extents().begin(), N, extents.begin());
  const bool cyclic = bounds[0] == dash::halo::BoundaryProp::CYCLIC;
  const auto expected = serial_heat<N>(extents, cyclic, nsteps);
  CHECK(count_wrong(current->matrix(), expected) == 0);
  const double final_energy = total_energy<N>(current->matrix(), energy);
  CHECK(final_energy == Approx(std::accumulate(expected.begin(), expected.end(), 0.0)));
  CHECK((final_energy == Approx(initial_energy)) == cyclic);
}

// --- Sorting ------------------------------------------------------------------------------------

constexpr int num_key_values = 1 << 12;

std::vector<int> unsorted_keys() {
  std::vector<int> keys;
  for (int i = 0; i < 200; ++i)
    keys.push_back(i * i % 211 * 19);
  return keys;
}

/// Sorts the keys by four bits. Keys with the same bits keep their order.
void radix_pass(const Array<int>& keys, Array<int>& sorted, int shift) {
  constexpr int nbuckets = 16;
  const int nunits = static_cast<int>(dash::size());
  Matrix<int, 2> counts(nbuckets, nunits, dash::NONE, dash::CYCLIC);
  const auto bucket_of = [=](int key) { return (key >> shift) % nbuckets; };
  for (std::size_t i = 0; i < keys.lsize(); ++i)
    ++counts.local[bucket_of(keys.local[i])][0];
  counts.barrier();
  std::array<int, nbuckets> positions{};
  int position = 0;
  for (int bucket = 0; bucket < nbuckets; ++bucket) {
    for (int unit = 0; unit < nunits; ++unit) {
      if (unit == dash::myid()) positions[bucket] = position;
      position += counts[bucket][unit];
    }
  }
  for (std::size_t i = 0; i < keys.lsize(); ++i)
    sorted[positions[bucket_of(keys.local[i])]++] = keys.local[i];
  sorted.barrier();
}

}  // namespace

TEST_CASE("The Cowichan problems from randmat to winnow yield the results of a serial program") {
  const SerialChain expected(23, 17, 7, 40, 12);
  NArray<uchar, 2> matrix(23, 17);
  NArray<bool, 2> mask(23, 17);
  Array<Point> points(12);
  randmat(matrix, 7);
  CHECK(count_wrong(matrix, expected.matrix) == 0);
  thresh(matrix, mask, 40);
  CHECK(count_wrong(mask, expected.mask) == 0);
  winnow(matrix, mask, points);
  CHECK(count_wrong(points, expected.points) == 0);
}

TEST_CASE("The Cowichan problems outer and product yield the results of a serial program") {
  const SerialChain expected(10, 10, 3, 100, 25);
  Array<Point> points(25);
  for (std::size_t i = 0; i < points.lsize(); ++i)
    points.local[i] = expected.points[points.pattern().global(i)];
  points.barrier();
  NArray<double, 2> matrix(25, 25);
  Array<double> vector(25);
  Array<double> result(25);
  outer(points, matrix, vector);
  CHECK(count_wrong(matrix, expected.distances) == 0);
  CHECK(count_wrong(vector, expected.vector) == 0);
  product(matrix, vector, result);
  CHECK(count_wrong(result, expected.result) == 0);
}

TEST_CASE("The chain of all Cowichan problems takes its parameters from shared variables") {
  Shared<unsigned> seed;
  Shared<unsigned> percent;
  Shared<unsigned> winnow_nelts;
  if (dash::myid() == 0) {
    seed.set(4711);
    percent.set(25);
    winnow_nelts.set(20);
  }
  winnow_nelts.barrier();
  const unsigned npoints = winnow_nelts.get();
  NArray<uchar, 2> rand_matrix(31, 31);
  NArray<bool, 2> mask(31, 31);
  Array<Point> points(npoints);
  NArray<double, 2> distances(npoints, npoints);
  Array<double> vector(npoints);
  Array<double> result(npoints);
  randmat(rand_matrix, seed.get());
  thresh(rand_matrix, mask, percent.get());
  winnow(rand_matrix, mask, points);
  outer(points, distances, vector);
  product(distances, vector, result);
  const SerialChain expected(31, 31, 4711, 25, 20);
  CHECK(count_wrong(result, expected.result) == 0);
}

TEST_CASE("A heat equation on a torus in two dimensions keeps its energy") {
  using StencilT = dash::halo::StencilPoint<2>;
  constexpr dash::halo::StencilSpec<StencilT, 4> stencil(StencilT(-1, 0), StencilT(1, 0),
                                                         StencilT(0, -1), StencilT(0, 1));
  const dash::halo::GlobalBoundarySpec<2> bounds(dash::halo::BoundaryProp::CYCLIC,
                                                 dash::halo::BoundaryProp::CYCLIC);
  check_heat<2>(dash::SizeSpec<2>(21, 16), stencil, bounds);
}

TEST_CASE("A heat equation in three dimensions exchanges energy with custom boundaries") {
  using StencilT = dash::halo::StencilPoint<3>;
  constexpr dash::halo::StencilSpec<StencilT, 6> stencil(
      StencilT(0.1, -1, 0, 0), StencilT(0.1, 1, 0, 0), StencilT(0.1, 0, -1, 0),
      StencilT(0.1, 0, 1, 0), StencilT(0.1, 0, 0, -1), StencilT(0.1, 0, 0, 1));
  const dash::halo::GlobalBoundarySpec<3> bounds(dash::halo::BoundaryProp::CUSTOM,
                                                 dash::halo::BoundaryProp::CUSTOM,
                                                 dash::halo::BoundaryProp::CUSTOM);
  check_heat<3>(dash::SizeSpec<3>(14, 10, 6), stencil, bounds);
}

TEST_CASE("Radix sort with a matrix of counters sorts keys") {
  auto expected = unsorted_keys();
  Array<int> array(expected.size(), dash::BLOCKED);
  Array<int> array2(expected.size(), dash::BLOCKED);
  for (std::size_t i = 0; i < array.lsize(); ++i)
    array.local[i] = expected[array.pattern().global(i)];
  array.barrier();
  auto* keys = &array;
  auto* sorted = &array2;
  for (int shift = 0; num_key_values >> shift > 1; shift += 4) {
    radix_pass(*keys, *sorted, shift);
    std::swap(keys, sorted);
  }
  std::sort(expected.begin(), expected.end());
  CHECK(count_wrong(*keys, expected) == 0);
}

TEST_CASE("Pigeonhole sort fills an array whose local sizes differ") {
  auto expected = unsorted_keys();
  Array<int> keys(expected.size(), dash::CYCLIC);
  for (std::size_t i = 0; i < keys.lsize(); ++i)
    keys.local[i] = expected[keys.pattern().global(i)];
  std::vector<int> own_holes(num_key_values);
  std::vector<int> holes(num_key_values);
  for (const int* key = keys.lbegin(); key != keys.lend(); ++key)
    ++own_holes[*key];
  dart_allreduce(own_holes.data(), holes.data(), holes.size(), DART_TYPE_INT,
                 dash::plus<int>().dart_operation(), DART_TEAM_ALL);

  // Each unit is responsible for a range of key values.
  using PatternT = dash::CSRPattern<1, dash::ROW_MAJOR, int>;
  const auto hole_begin = [](std::size_t unit) { return num_key_values * unit / dash::size(); };
  std::vector<PatternT::size_type> local_sizes;
  for (std::size_t unit = 0; unit < dash::size(); ++unit) {
    local_sizes.push_back(std::accumulate(holes.begin() + hole_begin(unit),
                                          holes.begin() + hole_begin(unit + 1), 0U));
  }
  const PatternT pattern(local_sizes);
  Array<int, int, PatternT> sorted(pattern);
  int* target = sorted.lbegin();
  for (auto key = hole_begin(dash::myid()); key < hole_begin(dash::myid() + 1); ++key)
    target = std::fill_n(target, holes[key], static_cast<int>(key));
  CHECK(target == sorted.lend());
  sorted.barrier();
  std::sort(expected.begin(), expected.end());
  CHECK(std::equal(sorted.begin(), sorted.end(), expected.begin()));
  sorted.barrier();
}
