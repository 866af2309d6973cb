#pragma once

/// \file
/// std::conjunction, std::void_t and their kin: DASH had its own for C++14, which programs may
/// include; here they are the standard's.

#include <type_traits>
