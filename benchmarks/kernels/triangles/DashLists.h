#pragma once

#include <memory>

#include "Lists.h"

namespace triangles {

/// Creates the lists with DASH. \collective
std::unique_ptr<Lists> make_dash_lists(const Graph& graph, const std::string& via, bool is_dynamic);

}  // namespace triangles
