// dash-test: parallel units=1,2,3,4 layouts=node,nolocal

// A Barnes-Hut tree code in the form that programs for DASH 0.4 have: bodies and cells in global
// memory, pointers to their common base class, objects at namespace scope that are initialized
// later, one lock for several cells.

#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

#include "support/Catch.h"

// dash::internal::copy_impl is deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

constexpr int num_bodies = 48;
constexpr int num_octants = 8;

struct Vector {
  double x = 0;
  double y = 0;
  double z = 0;

  friend Vector operator+(const Vector& a, const Vector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend Vector operator-(const Vector& a, const Vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend Vector operator*(double factor, const Vector& v) {
    return {factor * v.x, factor * v.y, factor * v.z};
  }
  double square() const { return x * x + y * y + z * z; }
};

enum class Kind : int { body, cell };

struct Node {
  Kind kind = Kind::body;
  double mass = 0;
  Vector position;
};
using NodePtr = dash::GlobMemAllocPtr<Node>;

struct Body : Node {
  Vector velocity;
  long interactions = 0;
};
struct Cell : Node {
  int level = 0;
  NodePtr children[num_octants];
};
using BodyPtr = dash::GlobMemAllocPtr<Body>;
using CellPtr = dash::GlobMemAllocPtr<Cell>;

using Sizes = dash::CSRPattern<1>;
template <class T>
using UnevenArray = dash::Array<T, dash::default_index_t, Sizes>;

// Constructed before dash::init(), destroyed after dash::finalize().
dash::Shared<NodePtr> root;
dash::Shared<double> half_extent;
dash::Array<BodyPtr> first_bodies;
dash::Array<dash::Atomic<long>> queues;
std::vector<dash::Mutex> locks;

/// The number of bodies on the units before `unit`; later units have more.
int first_body(int unit) {
  const int units = static_cast<int>(dash::size());
  return num_bodies * unit * (unit + 1) / (units * (units + 1));
}
int count_bodies(int unit) {
  return first_body(unit + 1) - first_body(unit);
}

Vector position_of(int body) {
  return {std::sin(1.7 * body), std::cos(2.3 * body + 1), std::sin(0.9 * body + 2)};
}
double mass_of(int body) {
  return 1 + 0.25 * (body % 5);
}

int octant_of(const Vector& position, const Vector& center) {
  return (position.x < center.x ? 0 : 4) + (position.y < center.y ? 0 : 2) +
         (position.z < center.z ? 0 : 1);
}
Vector center_of(int octant, const Vector& parent, double half) {
  return parent + half * Vector{(octant & 4) != 0 ? 0.5 : -0.5, (octant & 2) != 0 ? 0.5 : -0.5,
                                (octant & 1) != 0 ? 0.5 : -0.5};
}

/// The acceleration that a mass causes at a distance.
Vector attraction(double mass, const Vector& distance) {
  const double square = distance.square() + 1e-4;
  return (mass / (square * std::sqrt(square))) * distance;
}

/// A reference to a pointer in a cell on any unit.
dash::GlobRef<NodePtr> child_of(CellPtr cell, int octant) {
  auto children = (*cell).member<NodePtr>(&Cell::children);
  return children.member<NodePtr>(octant * sizeof(NodePtr));
}

dash::Mutex& lock_of(const CellPtr& cell) {
  const dart_gptr_t gptr = cell.dart_gptr();
  const auto cells = gptr.addr_or_offs.offset / sizeof(Cell);
  return locks[(cells + static_cast<unsigned>(gptr.unitid)) % locks.size()];
}

/// The part of a unit in the construction of the tree.
class Builder {
 public:
  ~Builder() {
    for (const CellPtr& cell : _cells)
      dash::memfree(cell, 1);
  }

  CellPtr new_cell(int level) {
    CellPtr cell = dash::memalloc<Cell>(1);
    REQUIRE(cell.is_local());
    new (cell.local()) Cell();
    cell.local()->kind = Kind::cell;
    cell.local()->level = level;
    _cells.push_back(cell);
    return cell;
  }

  /// Inserts a body below the root; all units do so concurrently.
  void insert(const BodyPtr& body) {
    const Vector position = body.local()->position;
    CellPtr cell = static_cast<NodePtr>(root.get());  // a pointer to the base, converted implicitly
    Vector center;
    double half = half_extent.get();
    for (int level = 1;; ++level) {
      const int octant = octant_of(position, center);
      center = center_of(octant, center, half);
      half /= 2;
      const std::lock_guard<dash::Mutex> guard(lock_of(cell));
      auto slot = child_of(cell, octant);
      NodePtr child = slot;
      if (child == nullptr) {
        slot = body;
        return;
      }
      const Kind kind = (*child).member<Kind>(&Node::kind);
      if (kind == Kind::body) {
        const CellPtr between = new_cell(level);
        const Vector other = (*child).member(&Node::position);
        between.local()->children[octant_of(other, center)] = child;
        slot = between;
        child = between;
      }
      cell = CellPtr(child);  // a pointer to the base, converted explicitly
    }
  }

  /// Computes mass and center of mass of all cells, from the leaves to the root.
  void sum_masses() {
    int level = 0;
    for (const CellPtr& cell : _cells)
      level = std::max(level, cell.local()->level);
    int depth = -1;
    dart_allreduce(&level, &depth, 1, DART_TYPE_INT, DART_OP_MAX, DART_TEAM_ALL);
    REQUIRE(depth >= 1);
    for (; depth >= 0; --depth) {
      for (const CellPtr& cell : _cells) {
        if (cell.local()->level == depth) sum_children(*cell.local());
      }
      dash::barrier();
    }
  }

 private:
  static void sum_children(Cell& cell) {
    Vector moment;
    for (NodePtr& child : cell.children) {
      if (!child) continue;
      const double mass = (*child).member<double>(&Node::mass);
      cell.mass += mass;
      moment = moment + mass * (*child).member<Vector>(&Node::position).get();
    }
    cell.position = (1 / cell.mass) * moment;
  }

  std::vector<CellPtr> _cells;
};

struct Force {
  Vector acceleration;
  long interactions = 0;
};

/// Adds the forces on a body: of cells that appear smaller than theta, and of bodies.
void walk(NodePtr node, const NodePtr& body, const Vector& position, double extent, double theta,
          Force& force) {
  if (node == body) return;
  const Node source = node.is_local() ? *node.local() : (*node).get();
  const Vector distance = source.position - position;
  if (source.kind == Kind::body || extent < theta * std::sqrt(distance.square())) {
    force.acceleration = force.acceleration + attraction(source.mass, distance);
    ++force.interactions;
    return;
  }
  CellPtr pointer = node;
  const Cell cell = *pointer;
  for (const NodePtr& child : cell.children) {
    if (child) walk(child, body, position, extent / 2, theta, force);
  }
}

/// Computes the forces on all bodies. A unit that has no bodies left takes those of other units.
void compute_forces(double theta, UnevenArray<Vector>& accelerations) {
  const int units = static_cast<int>(dash::size());
  const int me = dash::myid();
  queues[me].store(0);
  dash::barrier();
  NodePtr tree = root.get();
  const double extent = 2 * half_extent.get();
  for (int i = 0; i < units; ++i) {
    const int owner = (me + i) % units;
    const BodyPtr first = first_bodies[owner];
    for (;;) {
      const long next = queues[owner].fetch_add(1);
      if (next >= count_bodies(owner)) break;
      BodyPtr body = first + next;
      Force force;
      walk(tree, body, static_cast<Body>(*body).position, extent, theta, force);
      accelerations[first_body(owner) + next] = force.acceleration;
      (*body).member<long>(&Body::interactions) = force.interactions;
    }
  }
  dash::barrier();
}

/// The forces by direct summation, from positions that are read from all units.
std::vector<Vector> direct_forces(UnevenArray<Vector>& positions) {
  std::vector<Vector> all(num_bodies);
  std::vector<dart_handle_t> handles;
  Vector* const last =
      dash::internal::copy_impl(positions.begin(), positions.end(), all.data(), handles);
  dart_waitall(handles.data(), handles.size());
  REQUIRE(last == all.data() + num_bodies);
  std::vector<Vector> forces(num_bodies);
  for (int body = 0; body < num_bodies; ++body) {
    REQUIRE((all[body] - position_of(body)).square() == 0);
    for (int other = 0; other < num_bodies; ++other) {
      if (other == body) continue;
      forces[body] = forces[body] + attraction(mass_of(other), all[other] - all[body]);
    }
  }
  return forces;
}

TEST_CASE("A Barnes-Hut tree code computes the forces of direct summation") {
  const int me = dash::myid();
  const int units = static_cast<int>(dash::size());
  const int count = count_bodies(me);
  REQUIRE(root.init());
  REQUIRE(half_extent.init(1.0));
  CHECK_FALSE(half_extent.init(2.0));
  CHECK(half_extent.get() == 1.0);
  first_bodies.allocate(units);
  queues.allocate(units);
  locks.resize(8);

  std::vector<std::size_t> sizes;
  for (int unit = 0; unit < units; ++unit)
    sizes.push_back(static_cast<std::size_t>(count_bodies(unit)));
  const Sizes pattern(sizes);
  UnevenArray<Vector> positions(pattern);
  UnevenArray<Vector> accelerations(pattern);
  UnevenArray<double> masses(pattern);

  BodyPtr bodies = dash::memalloc<Body>(static_cast<std::size_t>(count));
  BodyPtr next = bodies;
  for (int i = 0; i < count; ++i, ++next) {
    Body& body = *new (next.local()) Body();
    body.mass = mass_of(first_body(me) + i);
    body.position = position_of(first_body(me) + i);
    positions.local[i] = body.position;
    masses.lbegin()[i] = body.mass;
  }
  CHECK(next - bodies == count);
  first_bodies.local[0] = bodies;

  Builder builder;
  if (me == 0) root.set(builder.new_cell(0));
  root.barrier();
  for (int i = 0; i < count; ++i)
    builder.insert(bodies + i);
  dash::barrier();
  builder.sum_masses();

  // Pointer arithmetic continues with the elements of the next unit.
  double total = 0;
  const dash::GlobPtr<double> mass(masses.begin().dart_gptr());
  for (int body = 0; body < num_bodies; ++body) {
    CHECK((mass + body).is_local() == (body >= first_body(me) && body < first_body(me + 1)));
    total += mass[body];
  }
  NodePtr tree = root.get();
  CHECK((*tree).get().mass == Approx(total).epsilon(1e-13));
  CHECK(static_cast<Cell>(*CellPtr(tree)).level == 0);
  CHECK((tree.local() != nullptr) == (me == 0));

  const std::vector<Vector> direct = direct_forces(positions);
  for (const double theta : {0.0, 0.6}) {
    CAPTURE(theta);
    compute_forces(theta, accelerations);
    long interactions = 0;
    double error = 0;
    std::array<double, 3> momentum{};
    for (int i = 0; i < count; ++i) {
      const Vector& expected = direct[first_body(me) + i];
      const Vector& computed = accelerations.local[i];
      error = std::max(error, std::sqrt((computed - expected).square() / expected.square()));
      const Body& body = bodies.local()[i];
      interactions += body.interactions;
      momentum[0] += body.mass * computed.x;
      momentum[1] += body.mass * computed.y;
      momentum[2] += body.mass * computed.z;
    }
    long all_interactions = 0;
    std::array<double, 3> all_momentum{};
    dart_allreduce(&interactions, &all_interactions, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL);
    dart_allreduce(momentum.data(), all_momentum.data(), 3, DART_TYPE_DOUBLE, DART_OP_SUM,
                   DART_TEAM_ALL);
    if (theta == 0) {
      CHECK(all_interactions == num_bodies * (num_bodies - 1));
      CHECK(error < 1e-11);
      for (const double component : all_momentum)
        CHECK(std::abs(component) < 1e-9);
    } else {
      CHECK(all_interactions < num_bodies * (num_bodies - 1) * 3 / 4);
      CHECK(error > 1e-11);
      CHECK(error < 0.1);
    }
    dash::barrier();
  }
  dash::memfree(bodies, static_cast<std::size_t>(count));
  locks.clear();
}

}  // namespace
