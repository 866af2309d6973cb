#include "Simulation.h"
#include "dash/Exception.h"

namespace dash::map {

bool can_simulate() noexcept {
  return false;
}

std::array<double, 2> simulate(const Study&) {
  throw exception::InvalidArgument(
      "--simulate: dash-map was built without SimGrid; install libsimgrid-dev and build again");
}

}  // namespace dash::map
