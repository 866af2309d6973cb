#pragma once

/// \file
/// All patterns.

#include "dash/pattern/BlockPattern.h"
#include "dash/pattern/CSRPattern.h"
#include "dash/pattern/LoadBalancePattern.h"
#include "dash/pattern/MakePattern.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/pattern/SeqTilePattern.h"
#include "dash/pattern/ShiftTilePattern.h"
#include "dash/pattern/TilePattern.h"
