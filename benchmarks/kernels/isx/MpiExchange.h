#pragma once

#include <memory>
#include <string>

#include "Kernel.h"

namespace isx {

/// The baselines with MPI only. Each counts keys in its own bucket while other keys are being
/// transferred, and polls the network in between.
///
///     two-sided  receives are posted one exchange ahead; all sends are started at once
///     rma        units put the positions of keys to the owners, which get the keys, in one epoch
///     shared     keys are read in place, in shared memory
std::unique_ptr<Exchange> make_mpi_exchange(const std::string& via, std::size_t capacity);

}  // namespace isx
