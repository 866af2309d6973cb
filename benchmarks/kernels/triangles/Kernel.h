#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Lists.h"
#include "support/Program.h"

namespace triangles {

/// \param is_dynamic  whether there is a counter to take vertices from
/// \collective
using MakeLists = std::function<std::unique_ptr<Lists>(const Graph& graph, const std::string& via,
                                                       bool is_dynamic)>;

/// \param name of the program
kernels::Program make_program(const std::string& name, MakeLists make);

}  // namespace triangles
