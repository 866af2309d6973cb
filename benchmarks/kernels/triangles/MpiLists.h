#pragma once

#include <memory>

#include "Lists.h"

namespace triangles {

/// Creates the lists with two-sided messages, RMA or shared memory of MPI. \collective
/// \throws kernels::UserError if is_dynamic and the exchange has no shared counter
std::unique_ptr<Lists> make_mpi_lists(const Graph& graph, const std::string& via, bool is_dynamic);

}  // namespace triangles
