#pragma once

/// \file
/// Compatibility header: std::pmr. DASH had its own implementation for C++14.

#include <memory_resource>
