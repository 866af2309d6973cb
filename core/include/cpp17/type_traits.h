#pragma once

/// \file
/// Compatibility header: std::conjunction, std::void_t and others. DASH had its own implementation for C++14.

#include <type_traits>
