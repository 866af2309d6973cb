#pragma once

#include <dash/async/FunctionRef.h>

#include <stdexcept>

namespace lulesh {

/// Calls body(0) ... body(n - 1), in any order or at the same time: how the computation is run is
/// up to who has it run.
using Loop = dash::exec::FunctionRef<void(int n, dash::exec::FunctionRef<void(int)> body)>;

/// An element has been turned inside out: the run cannot go on.
struct VolumeError : std::runtime_error {
  VolumeError() : std::runtime_error("the volume of an element is not positive") {}
};

/// The artificial viscosity has passed its limit: the run cannot go on.
struct ViscosityError : std::runtime_error {
  ViscosityError()
      : std::runtime_error("the artificial viscosity of an element is above its limit") {}
};

}  // namespace lulesh
