#pragma once

#include <vector>

#include "exchange/Exchange.h"
#include "mesh/Fields.h"
#include "mesh/Mesh.h"
#include "mesh/Regions.h"
#include "physics/Elements.h"
#include "physics/Loop.h"
#include "physics/Material.h"

namespace lulesh {

/// Computes the Sedov blast on a unit's subdomain by explicit Lagrangian hydrodynamics.
class Solver {
 public:
  /// Sets the fields to their initial values.
  /// \param exchange, loop  must outlive the solver
  /// \param sharing         must outlive the solver; may be null
  /// \collective
  Solver(const Mesh& mesh, const Fields& fields, const RegionOptions& regions, Exchange& exchange,
         Loop loop, MaterialSharing* sharing = nullptr);

  bool is_done() const { return _time >= stop_time; }
  /// Computes one time step.
  /// \collective
  /// \throws UserError on all units if an element of any unit became invalid in the previous step
  void step();
  /// Checks the elements after the last step. \collective  \throws UserError as step()
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
  std::vector<Box> _high_elements;   // elements that need nodes from a neighbour
  std::vector<Box> _outer_elements;  // elements that need gradients from a neighbour
  double _time = 0;
  double _dt = 0;
  long _cycles = 0;
  TimeLimits _limits{1e20, 1e20};
};

/// The energy that is released at the origin.
double initial_energy(const Int3& elements);

}  // namespace lulesh
