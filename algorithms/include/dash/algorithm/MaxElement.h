#pragma once

/// \file
/// max_element, by the path that programs written for DASH include.

#include "dash/algorithm/MinMax.h"
