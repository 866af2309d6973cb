#pragma once

#include <memory>
#include <string>

#include "Kernel.h"

namespace isx {

/// The twins by MPI alone. In each, keys of the own bucket are counted while the others' come, with looks
/// at the network between.
///
///     two-sided  all receives, which are posted an exchange ahead, and sends at once
///     rma        units put where keys are to those that get them from there, in one epoch
///     shared     keys are read where they are, in memory that the processes share
std::unique_ptr<Exchange> make_mpi_exchange(const std::string& via, std::size_t capacity);

}  // namespace isx
