#include "physics/Forces.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "physics/Corners.h"

namespace lulesh {

namespace {

/// Planes of elements in a chunk, whose forces one thread sums. A constant, since it determines the
/// order of summation.
constexpr int planes_at_a_time = 8;

int num_chunks(int planes) {
  return (planes + planes_at_a_time - 1) / planes_at_a_time;
}

std::size_t plane_size_of(const Mesh& mesh) {
  return static_cast<std::size_t>(mesh.node(0, 0, 1));
}

constexpr double hourglass_coefficient = 3.0;

/// Corners of the faces, in the order of summation.
constexpr int faces[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2},
                             {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};

/// The corners on which the derivative of the volume with respect to a corner depends.
constexpr int volume_neighbours[8][6] = {{1, 2, 3, 4, 5, 7}, {2, 3, 0, 5, 6, 4}, {3, 0, 1, 6, 7, 5},
                                         {0, 1, 2, 7, 4, 6}, {7, 6, 5, 0, 3, 1}, {4, 7, 6, 1, 0, 2},
                                         {5, 4, 7, 2, 1, 3}, {6, 5, 4, 3, 2, 0}};

/// The hourglass modes by corner.
constexpr double modes[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                {1, -1, -1, 1, -1, 1, 1, -1},
                                {1, -1, 1, -1, 1, -1, 1, -1},
                                {-1, 1, -1, 1, 1, -1, 1, -1}};

template <class V>
void add_stress(const Corners<V>& x, const V& stress, Corners<V>& force) {
  Corners<V> normal;
  for (auto& n : normal)
    n = {V(0.0), V(0.0), V(0.0)};
  for (const auto& f : faces) {
    const Vec<V>&a = x[f[0]], &b = x[f[1]], &c = x[f[2]], &d = x[f[3]];
    const Vec<V> r = V(0.5) * (d + c - b - a);
    const Vec<V> t = V(0.5) * (c + b - d - a);
    const Vec<V> area = V(0.25) * cross(r, t);
    for (const int corner : f)
      normal[corner] += area;
  }
  for (std::size_t c = 0; c < 8; ++c)
    force[c] = -(stress * normal[c]);
}

/// 12 times a component of the derivative of the volume.
template <class V>
V derivative(const V& u0, const V& u1, const V& u2, const V& u3, const V& u4, const V& u5,
             const V& w0, const V& w1, const V& w2, const V& w3, const V& w4, const V& w5) {
  return (u1 + u2) * (w0 + w1) - (u0 + u1) * (w1 + w2) + (u0 + u4) * (w3 + w4) -
         (u3 + u4) * (w0 + w4) - (u2 + u5) * (w3 + w5) + (u3 + u5) * (w2 + w5);
}

template <class V>
Vec<V> volume_derivative(const Corners<V>& x, int corner) {
  const auto& n = volume_neighbours[corner];
  const auto phi = [&](auto u, auto w) {
    return derivative(x[n[0]].*u, x[n[1]].*u, x[n[2]].*u, x[n[3]].*u, x[n[4]].*u, x[n[5]].*u,
                      x[n[0]].*w, x[n[1]].*w, x[n[2]].*w, x[n[3]].*w, x[n[4]].*w, x[n[5]].*w);
  };
  constexpr double twelfth = 1.0 / 12.0;
  return {phi(&Vec<V>::y, &Vec<V>::z) * twelfth, -phi(&Vec<V>::x, &Vec<V>::z) * twelfth,
          -phi(&Vec<V>::y, &Vec<V>::x) * twelfth};
}

template <class V>
void add_hourglass(const Corners<V>& x, const Corners<V>& u, const V& volume, const V& coefficient,
                   Corners<V>& force) {
  const V inverse = V(1.0) / volume;
  Corners<V> gradient;
  for (int c = 0; c < 8; ++c)
    gradient[static_cast<std::size_t>(c)] = volume_derivative(x, c);
  for (const auto& mode : modes) {
    Vec<V> moment = V(mode[0]) * x[0];
    for (std::size_t c = 1; c < 8; ++c)
      moment += V(mode[c]) * x[c];
    std::array<V, 8> shape;
    for (std::size_t c = 0; c < 8; ++c)
      shape[c] = mode[c] - inverse * dot(gradient[c], moment);
    Vec<V> h = shape[0] * u[0];
    for (std::size_t c = 1; c < 8; ++c)
      h += shape[c] * u[c];
    h = coefficient * h;
    for (std::size_t c = 0; c < 8; ++c)
      force[c] += shape[c] * h;
  }
}

/// Forces on the corners of a row of elements, by component, corner and element.
class RowForces {
 public:
  explicit RowForces(int length)
      : _length(static_cast<std::size_t>(length)), _values(3 * 8 * _length) {}

  double* of(std::size_t component, std::size_t corner) {
    return _values.data() + (component * 8 + corner) * _length;
  }

 private:
  std::size_t _length;
  std::vector<double> _values;
};

/// The cube root of a positive number, accurate to a few units in the last place. It has no branch
/// and no call, so that the compiler vectorizes loops over it. The initial value, from a third of
/// the exponent and of the leading digits, has an error of 5 %; each of Halley's steps cubes the
/// relative error.
double cube_root(double x) {
  const std::uint64_t high = std::bit_cast<std::uint64_t>(x) >> 32;
  constexpr std::uint64_t two_thirds_of_bias = 715094163;
  const std::uint64_t third = high * 0xaaaaaaab >> 33;
  double y = std::bit_cast<double>((third + two_thirds_of_bias) << 32);
  for (int step = 0; step < 3; ++step) {
    const double cube = y * y * y;
    y *= (cube + 2 * x) / (2 * cube + x);
  }
  return y;
}

/// \returns whether all elements of the row have a positive volume
[[gnu::flatten]] bool compute_row(const Mesh& mesh, const Fields& fields, int j, int k,
                                  double* cbrt_of_volume, RowForces& row) {
  const std::ptrdiff_t first_element = mesh.element(0, j, k);
  const std::ptrdiff_t first_node = mesh.node(0, j, k);
  const auto offsets = CornerOffsets(mesh).all();
  const double* const reference_volume = fields.reference_volume + first_element;
  const double* const relative_volume = fields.volume + first_element;
  const bool valid = std::all_of(relative_volume, relative_volume + mesh.count[0],
                                 [](double volume) { return volume > 0; });
  for (int i = 0; i < mesh.count[0]; ++i)
    cbrt_of_volume[i] = reference_volume[i] * relative_volume[i];
  for (int i = 0; i < mesh.count[0]; ++i)
    cbrt_of_volume[i] = cube_root(cbrt_of_volume[i]);
  for_overlapping_packs(0, mesh.count[0], [&](auto pack, int i) {
    using V = decltype(pack);
    const std::ptrdiff_t e = first_element + i;
    const auto x = load_corners<V>(fields.position, first_node + i, offsets);
    const auto u = load_corners<V>(fields.velocity, first_node + i, offsets);
    const V stress = -load<V>(fields.pressure + e) - load<V>(fields.viscosity + e);
    const V volume = load<V>(fields.reference_volume + e) * load<V>(fields.volume + e);
    const V coefficient = V(-hourglass_coefficient * 0.01) * load<V>(fields.sound_speed + e) *
                          load<V>(fields.mass + e) / load<V>(cbrt_of_volume + i);
    Corners<V> force;
    add_stress(x, stress, force);
    add_hourglass(x, u, volume, coefficient, force);
    for (std::size_t c = 0; c < 8; ++c) {
      store(force[c].x, row.of(0, c) + i);
      store(force[c].y, row.of(1, c) + i);
      store(force[c].z, row.of(2, c) + i);
    }
  });
  return valid;
}

/// Adds the forces of a row of elements to two rows of nodes of one plane.
/// \param corners  numbers of the elements' corners, by row of nodes: left and right
void add_row(const Mesh& mesh, RowForces& row, const Components& plane, int j,
             const std::size_t (&corners)[2][2]) {
  for (int dj = 0; dj < 2; ++dj) {
    const std::size_t left = corners[dj][0];
    const std::size_t right = corners[dj][1];
    for (std::size_t d = 0; d < 3; ++d) {
      double* const nodes = plane[d] + mesh.node(0, j + dj, 0);
      const double* const to_left = row.of(d, left);
      const double* const to_right = row.of(d, right);
      for (int i = 0; i < mesh.count[0]; ++i)
        nodes[i] += to_left[i];
      for (int i = 0; i < mesh.count[0]; ++i)
        nodes[i + 1] += to_right[i];
    }
  }
}

constexpr std::size_t lower_corners[2][2] = {{0, 1}, {3, 2}};
constexpr std::size_t upper_corners[2][2] = {{4, 5}, {7, 6}};

Components plane_of(const Mesh& mesh, const Components& nodes, int k) {
  const std::ptrdiff_t offset = mesh.node(0, 0, k);
  return {nodes[0] + offset, nodes[1] + offset, nodes[2] + offset};
}

}  // namespace

std::size_t force_buffer_capacity(const Mesh& mesh) {
  return static_cast<std::size_t>(num_chunks(mesh.block[2])) * 3 * plane_size_of(mesh);
}

bool compute_forces(const Mesh& mesh, const Fields& fields, const Loop& loop) {
  const int planes = mesh.count[2];
  const int chunks = num_chunks(planes);
  const std::size_t plane_size = plane_size_of(mesh);
  // The forces of each chunk on the plane of nodes above it, which the next chunk owns.
  std::vector<double> above(static_cast<std::size_t>(chunks) * 3 * plane_size, 0.0);
  const auto above_of = [&](int chunk) -> Components {
    double* const begin = above.data() + static_cast<std::size_t>(chunk) * 3 * plane_size;
    return {begin, begin + plane_size, begin + 2 * plane_size};
  };
  std::atomic<bool> valid{true};

  loop(chunks, [&](int chunk) {
    const int begin = chunk * planes_at_a_time;
    const int end = std::min(begin + planes_at_a_time, planes);
    for (int k = begin; k < end; ++k) {
      for (double* const nodes : plane_of(mesh, fields.force, k))
        std::fill_n(nodes, plane_size, 0.0);
    }
    RowForces row(mesh.count[0]);
    std::vector<double> cbrt_of_volume(static_cast<std::size_t>(mesh.count[0]));
    for (int k = begin; k < end; ++k) {
      const Components lower = plane_of(mesh, fields.force, k);
      const Components upper = k + 1 < end ? plane_of(mesh, fields.force, k + 1) : above_of(chunk);
      for (int j = 0; j < mesh.count[1]; ++j) {
        if (!compute_row(mesh, fields, j, k, cbrt_of_volume.data(), row))
          valid.store(false, std::memory_order_relaxed);
        add_row(mesh, row, lower, j, lower_corners);
        add_row(mesh, row, upper, j, upper_corners);
      }
    }
  });
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int k = std::min((chunk + 1) * planes_at_a_time, planes);
    const Components to = plane_of(mesh, fields.force, k);
    const Components from = above_of(chunk);
    for (std::size_t d = 0; d < 3; ++d) {
      if (k == planes) {
        std::copy_n(from[d], plane_size, to[d]);
      } else {
        for (std::size_t i = 0; i < plane_size; ++i)
          to[d][i] += from[d][i];
      }
    }
  }
  return valid;
}

}  // namespace lulesh
