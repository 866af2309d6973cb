#include "physics/Elements.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "physics/Corners.h"

namespace lulesh {

namespace {

constexpr double tiny = 1e-36;
constexpr double viscosity_limit = 1e12;
/// Relative volumes that differ from 1 by less are set to 1.
constexpr double volume_cut = 1e-10;
/// The largest relative change of the volume in a step.
constexpr double volume_change_limit = 0.1;
constexpr double no_limit = 1e20;

constexpr int length_faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                    {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

template <class V>
V characteristic_length(const Corners<V>& x, const V& volume) {
  V largest(0.0);
  for (const auto& face : length_faces) {
    const Vec<V> ac = x[face[2]] - x[face[0]];
    const Vec<V> bd = x[face[3]] - x[face[1]];
    const Vec<V> f = ac - bd;
    const Vec<V> g = ac + bd;
    const V fg = dot(f, g);
    largest = stdx::max(largest, V(dot(f, f) * dot(g, g) - fg * fg));
  }
  return V(4.0) * volume / stdx::sqrt(largest);
}

/// The trace of the velocity gradient at the middle of the step.
template <class V>
V volume_rate(const Corners<V>& x, const Corners<V>& u, const V& half_dt) {
  Corners<V> y;
  for (std::size_t c = 0; c < 8; ++c)
    y[c] = x[c] - half_dt * u[c];
  const Vec<V> p = y[6] - y[0];
  const Vec<V> q = y[5] - y[3];
  const Vec<V> r = y[7] - y[1];
  const Vec<V> s = y[4] - y[2];
  const V eighth(0.125);
  const Vec<V> j_xi = eighth * (p + q - r - s);
  const Vec<V> j_eta = eighth * (p - q + r - s);
  const Vec<V> j_zeta = eighth * (p + q + r + s);
  const Vec<V> c_xi = cross(j_eta, j_zeta);
  const Vec<V> c_eta = cross(j_zeta, j_xi);
  const Vec<V> c_zeta = cross(j_xi, j_eta);
  const V inverse = V(1.0) / (V(8.0) * dot(j_eta, c_eta));
  const Vec<V> b[4] = {-c_xi - c_eta - c_zeta, c_xi - c_eta - c_zeta, c_xi + c_eta - c_zeta,
                       -c_xi + c_eta - c_zeta};
  constexpr std::size_t opposite[4] = {6, 7, 4, 5};
  Vec<V> sum{V(0.0), V(0.0), V(0.0)};
  for (std::size_t c = 0; c < 4; ++c) {
    const Vec<V> du = u[c] - u[opposite[c]];
    sum += Vec<V>{b[c].x * du.x, b[c].y * du.y, b[c].z * du.z};
  }
  return inverse * sum.x + inverse * sum.y + inverse * sum.z;
}

template <class V>
Vec<V> along_xi(const Corners<V>& q) {
  return V(0.25) * ((q[1] + q[2] + q[6] + q[5]) - (q[0] + q[3] + q[7] + q[4]));
}
template <class V>
Vec<V> along_eta(const Corners<V>& q) {
  return V(-0.25) * ((q[0] + q[1] + q[5] + q[4]) - (q[3] + q[2] + q[6] + q[7]));
}
template <class V>
Vec<V> along_zeta(const Corners<V>& q) {
  return V(0.25) * ((q[4] + q[5] + q[6] + q[7]) - (q[0] + q[1] + q[2] + q[3]));
}

/// Stores the gradients of the velocity along the directions xi, eta, zeta of an element, and the
/// corresponding lengths.
/// \returns the volume of the element by the Jacobian at its centre
template <class V>
V store_gradients(const Mesh& mesh, const Fields& fields, const Corners<V>& x, const Corners<V>& u,
                  const V& volume, int i, int j, int k) {
  const V norm = V(1.0) / (volume + V(tiny));
  const Vec<V> xi = along_xi(x);
  const Vec<V> eta = along_eta(x);
  const Vec<V> zeta = along_zeta(x);
  const Vec<V> areas[3] = {cross(eta, zeta), cross(zeta, xi), cross(xi, eta)};
  const Vec<V> changes[3] = {along_xi(u), along_eta(u), along_zeta(u)};
  for (int d = 0; d < 3; ++d) {
    const Vec<V>& a = areas[d];
    store(V(volume / stdx::sqrt(V(dot(a, a) + V(tiny)))),
          fields.gradient_length[static_cast<std::size_t>(d)] + mesh.element(i, j, k));
    store(dot(norm * a, changes[d]),
          fields.gradient_velocity[static_cast<std::size_t>(d)] + mesh.gradient(d, i, j, k));
  }
  return dot(xi, areas[0]);
}

/// \returns whether all elements of the row have a positive volume and a positive Jacobian at their
///          centres
[[gnu::flatten]] bool compute_row(const Mesh& mesh, const Fields& fields, const Box& box, double dt,
                                  int j, int k) {
  const std::ptrdiff_t first_element = mesh.element(0, j, k);
  const std::ptrdiff_t first_node = mesh.node(0, j, k);
  const auto offsets = CornerOffsets(mesh).all();
  bool valid = true;
  for_overlapping_packs(box.begin[0], box.end[0], [&](auto pack, int i) {
    using V = decltype(pack);
    const std::ptrdiff_t e = first_element + i;
    const auto x = load_corners<V>(fields.position, first_node + i, offsets);
    const auto u = load_corners<V>(fields.velocity, first_node + i, offsets);
    const V volume = volume_of(x);
    const V reference = load<V>(fields.reference_volume + e);
    const V relative = volume / reference;
    store(relative, fields.new_volume + e);
    store(V(relative - load<V>(fields.volume + e)), fields.volume_change + e);
    store(characteristic_length(x, volume), fields.length + e);
    store(volume_rate(x, u, V(0.5 * dt)), fields.volume_rate + e);
    const V by_jacobian = store_gradients(mesh, fields, x, u, V(reference * relative), i, j, k);
    valid = valid && stdx::all_of(stdx::min(relative, by_jacobian) > V(0.0));
  });
  return valid;
}

/// The monotonic limiter of the artificial viscosity, from 0 to 1. In smooth flow it is 1, which
/// gives no viscosity.
template <class V>
V limiter(const V& own, const V& before, const V& after) {
  const V norm = V(1.0) / (own + V(tiny));
  const V left = before * norm;
  const V right = after * norm;
  V phi = V(0.5) * (left + right);
  phi = stdx::min(phi, V(left * V(2.0)));
  phi = stdx::min(phi, V(right * V(2.0)));
  return stdx::min(stdx::max(phi, V(0.0)), V(1.0));
}

[[gnu::flatten]] void compute_viscosity_row(const Mesh& mesh, const Fields& fields, const Box& box,
                                            int j, int k) {
  for_overlapping_packs(box.begin[0], box.end[0], [&](auto pack, int i) {
    using V = decltype(pack);
    const std::ptrdiff_t e = mesh.element(i, j, k);
    V linear(0.0);
    V square(0.0);
    for (int d = 0; d < 3; ++d) {
      const double* const gradient = fields.gradient_velocity[static_cast<std::size_t>(d)];
      const Int3 step{d == 0 ? 1 : 0, d == 1 ? 1 : 0, d == 2 ? 1 : 0};
      const std::ptrdiff_t own = mesh.gradient(d, i, j, k);
      const std::ptrdiff_t ahead = mesh.gradient(d, i + step[0], j + step[1], k + step[2]) - own;
      const V delv = load<V>(gradient + own);
      const V phi = limiter(delv, load<V>(gradient + own - ahead), load<V>(gradient + own + ahead));
      const V t = stdx::min(
          V(delv * load<V>(fields.gradient_length[static_cast<std::size_t>(d)] + e)), V(0.0));
      linear += t * (V(1.0) - phi);
      square += t * t * (V(1.0) - phi * phi);
    }
    const V density = load<V>(fields.mass + e) /
                      (load<V>(fields.reference_volume + e) * load<V>(fields.new_volume + e));
    const auto expands = load<V>(fields.volume_rate + e) > V(0.0);
    store(select<V>(expands, V(0.0), V(-0.5) * density * linear), fields.viscosity_linear + e);
    store(select<V>(expands, V(0.0), V(2.0 / 3.0) * density * square), fields.viscosity_square + e);
  });
}

[[gnu::flatten]] void update_row(const Mesh& mesh, const Fields& fields, int j, int k,
                                 TimeLimits& smallest) {
  for_overlapping_packs(0, mesh.count[0], [&](auto pack, int i) {
    using V = decltype(pack);
    const std::ptrdiff_t e = mesh.element(i, j, k);
    const V volume = load<V>(fields.new_volume + e);
    store(select<V>(stdx::abs(volume - V(1.0)) < V(volume_cut), V(1.0), volume), fields.volume + e);
    const V rate = load<V>(fields.volume_rate + e);
    const V length = load<V>(fields.length + e);
    const V speed = load<V>(fields.sound_speed + e);
    V squared = speed * speed;
    squared =
        select<V>(rate < V(0.0), V(squared + V(256.0) * length * length * rate * rate), squared);
    const auto moves = rate != V(0.0);
    const V courant = select<V>(moves, V(length / stdx::sqrt(squared)), V(no_limit));
    const V hydro =
        select<V>(moves, V(V(volume_change_limit) / (stdx::abs(rate) + V(1e-20))), V(no_limit));
    smallest.courant = std::min(smallest.courant, stdx::hmin(courant));
    smallest.hydro = std::min(smallest.hydro, stdx::hmin(hydro));
  });
}

}  // namespace

bool compute_kinematics(const Mesh& mesh, const Fields& fields, const Box& box, double dt,
                        const Loop& loop) {
  if (box.empty()) return true;
  std::atomic<bool> valid{true};
  loop(box.end[2] - box.begin[2], [&](int plane) {
    for (int j = box.begin[1]; j < box.end[1]; ++j) {
      if (!compute_row(mesh, fields, box, dt, j, box.begin[2] + plane))
        valid.store(false, std::memory_order_relaxed);
    }
  });
  return valid;
}

void set_boundary_gradients(const Mesh& mesh, const Fields& fields) {
  for (std::size_t d = 0; d < 3; ++d) {
    double* const gradient = fields.gradient_velocity[d];
    const auto index = [&](Int3 at, int along) {
      at[d] = along;
      return mesh.gradient(static_cast<int>(d), at[0], at[1], at[2]);
    };
    Int3 layer = mesh.count;
    layer[d] = 1;
    for (int k = 0; k < layer[2]; ++k) {
      for (int j = 0; j < layer[1]; ++j) {
        for (int i = 0; i < layer[0]; ++i) {
          const Int3 at{i, j, k};
          if (!mesh.has_neighbour(d, -1)) gradient[index(at, -1)] = gradient[index(at, 0)];
          if (!mesh.has_neighbour(d, 1)) gradient[index(at, mesh.count[d])] = 0.0;
        }
      }
    }
  }
}

bool compute_viscosity(const Mesh& mesh, const Fields& fields, const Box& box, const Loop& loop) {
  if (box.empty()) return true;
  std::atomic<bool> valid{true};
  loop(box.end[2] - box.begin[2], [&](int plane) {
    const int k = box.begin[2] + plane;
    for (int j = box.begin[1]; j < box.end[1]; ++j) {
      compute_viscosity_row(mesh, fields, box, j, k);
      const double* const q = fields.viscosity + mesh.element(0, j, k);
      if (std::any_of(q + box.begin[0], q + box.end[0],
                      [](double x) { return x > viscosity_limit; }))
        valid.store(false, std::memory_order_relaxed);
    }
  });
  return valid;
}

TimeLimits update_volumes(const Mesh& mesh, const Fields& fields, const Loop& loop) {
  std::vector<TimeLimits> limits(static_cast<std::size_t>(mesh.count[2]));
  loop(mesh.count[2], [&](int k) {
    TimeLimits smallest{no_limit, no_limit};
    for (int j = 0; j < mesh.count[1]; ++j) {
      update_row(mesh, fields, j, k, smallest);
    }
    limits[static_cast<std::size_t>(k)] = smallest;
  });
  TimeLimits result{no_limit, no_limit};
  for (const TimeLimits& each : limits) {
    result.courant = std::min(result.courant, each.courant);
    result.hydro = std::min(result.hydro, each.hydro);
  }
  return result;
}

}  // namespace lulesh
