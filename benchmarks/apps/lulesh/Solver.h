#pragma once

#include <vector>

#include "Elements.h"
#include "Exchange.h"
#include "Fields.h"
#include "Loop.h"
#include "Material.h"
#include "Mesh.h"
#include "Regions.h"

namespace lulesh {

/// The Sedov blast on a unit's part of the mesh: explicit Lagrangian hydrodynamics.
class Solver {
 public:
  /// Sets the fields to their initial values.
  /// \param exchange, loop, sharing  how it is run; they live as long  \param sharing  may be null
  Solver(const Mesh& mesh, const Fields& fields, const RegionOptions& regions, Exchange& exchange,
         Loop loop, MaterialSharing* sharing = nullptr);

  bool is_done() const { return _time >= stop_time; }
  /// One time step. What is wrong with an element of any unit, all learn in the next one.
  /// \collective  \throws UserError on all units
  void step();
  /// The same of the last step. \collective
  void check();

  double time() const { return _time; }
  double time_step() const { return _dt; }
  long cycles() const { return _cycles; }
  const TimeLimits& limits() const { return _limits; }

  static constexpr double stop_time = 1e-2;

 private:
  void clear();
  void set_coordinates();
  void set_masses();
  void choose_time_step();
  TimeLimits limits_of_all() const;

  const Mesh& _mesh;
  const Fields& _fields;
  Exchange& _exchange;
  Loop _loop;
  MaterialSharing* _sharing;
  std::vector<Region> _regions;
  std::vector<Box> _outer_nodes;
  std::vector<Box> _high_elements;   // next to what is received of nodes
  std::vector<Box> _outer_elements;  // next to what is received of elements
  double _time = 0;
  double _dt = 0;
  long _cycles = 0;
  TimeLimits _limits{1e20, 1e20};
};

/// How much of the energy is released at the origin.
double initial_energy(const Int3& elements);

}  // namespace lulesh
