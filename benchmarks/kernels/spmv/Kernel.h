#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Fetch.h"
#include "support/Program.h"

namespace spmv {

/// Creates the Fetch, in which the programs differ. \collective
using MakeFetch =
    std::function<std::unique_ptr<Fetch>(const FetchSpec& spec, const std::string& via)>;

/// \param name  name of the program
kernels::Program make_program(const std::string& name, MakeFetch make);

}  // namespace spmv
