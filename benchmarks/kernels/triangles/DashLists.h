#pragma once

#include <memory>

#include "Lists.h"

namespace triangles {

/// On the library. \collective
std::unique_ptr<Lists> make_dash_lists(const Graph& graph, const std::string& via, bool is_dynamic);

}  // namespace triangles
