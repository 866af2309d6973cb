#pragma once

#include <memory>

#include "Fetch.h"

namespace spmv {

/// Creates a Fetch with two-sided messages, RMA or shared memory of MPI. \collective
/// \throws kernels::UserError if the exchange does not support the variant
std::unique_ptr<Fetch> make_mpi_fetch(const FetchSpec& spec, const std::string& via);

}  // namespace spmv
