#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Lists.h"
#include "support/Program.h"

namespace triangles {

/// Creates the lists, in which the programs differ.
/// \param is_dynamic  whether units take vertices from a shared counter
/// \collective
using MakeLists = std::function<std::unique_ptr<Lists>(const Graph& graph, const std::string& via,
                                                       bool is_dynamic)>;

/// \param name  name of the program
kernels::Program make_program(const std::string& name, MakeLists make);

}  // namespace triangles
