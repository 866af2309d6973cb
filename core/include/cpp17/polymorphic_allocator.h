#pragma once

/// \file
/// std::pmr: DASH had its own for C++14, which programs may include; here it is the standard's.

#include <memory_resource>
