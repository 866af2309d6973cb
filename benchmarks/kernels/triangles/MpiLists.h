#pragma once

#include <memory>

#include "Lists.h"

namespace triangles {

/// Two-sided, RMA or shared memory of MPI. \collective
/// \throws kernels::UserError if a way of exchange has no counter to take vertices from
std::unique_ptr<Lists> make_mpi_lists(const Graph& graph, const std::string& via, bool is_dynamic);

}  // namespace triangles
