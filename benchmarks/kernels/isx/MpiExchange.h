#pragma once

#include <memory>
#include <string>

#include "Kernel.h"

namespace isx {

/// The twins by MPI alone. In each, keys of the own bucket are counted while the others' come.
///
///     two-sided  an all-to-all of sizes, then all receives and sends at once
///     rma        an all-to-all that tells where keys are, which are got from there, in one epoch
///     shared     keys are read where they are, in memory that the processes share
std::unique_ptr<Exchange> make_mpi_exchange(const std::string& via, std::size_t capacity);

}  // namespace isx
