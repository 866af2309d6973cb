#pragma once

/// \file
/// Declares min_element; the include path that programs written for DASH use.

#include "dash/algorithm/MinMax.h"
