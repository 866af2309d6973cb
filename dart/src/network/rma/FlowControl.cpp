#include "network/rma/FlowControl.h"

#include "dash/async/Engine.h"
#include "dash/async/Watch.h"

namespace dash::dart {

namespace {

/// MPICH keeps about 600 bytes for each operation in flight.
constexpr std::size_t max_in_mpi = 4000;
/// The library keeps at most 320 bytes for each, so this is 20 MiB.
constexpr std::size_t max_in_flight = 65'536;
static_assert(sizeof(BufferedPut) <= 256, "with its entries in the table at most 320 bytes");

}  // namespace

void FlowControl::wait_below_limit() {
  const auto is_below = [this](std::size_t in_mpi, std::size_t in_all) {
    return _table.in_mpi() < in_mpi && in_flight() < in_all;
  };
  if (is_below(max_in_mpi, max_in_flight) || !exec::may_wait()) return;
  const exec::Purpose purpose("operations in flight, whose number has reached the limit");
  exec::Engine::instance().wait_until(
      [&] { return is_below(max_in_mpi * 3 / 4, max_in_flight * 3 / 4); });
}

}  // namespace dash::dart
