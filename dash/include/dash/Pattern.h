#pragma once

/// \file
/// All patterns.

#include "dash/pattern/BlockPattern.h"
#include "dash/pattern/PatternProperties.h"
