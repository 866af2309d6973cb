#pragma once

#include <memory>

#include "Fetch.h"

namespace spmv {

/// Two-sided, RMA or shared memory of MPI. \collective
/// \throws kernels::UserError for a variant that a way of exchange has not
std::unique_ptr<Fetch> make_mpi_fetch(const FetchSpec& spec, const std::string& via);

}  // namespace spmv
