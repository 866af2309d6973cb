#pragma once

/// \file
/// Compatibility header: std::byte. DASH had its own implementation for C++14.

#include <cstddef>
