#pragma once

#include <memory>

#include "Fetch.h"

namespace spmv {

/// Creates a Fetch with DASH. \collective
std::unique_ptr<Fetch> make_dash_fetch(const FetchSpec& spec, const std::string& via);

}  // namespace spmv
