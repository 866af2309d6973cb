#pragma once

/// \file
/// Includes the algorithms of the standard library, which can be used with global iterators.

#include <algorithm>
#include <numeric>

#include "dash/Iterator.h"
