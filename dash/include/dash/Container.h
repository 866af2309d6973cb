#pragma once

/// \file
/// All containers.

#include "dash/Array.h"
#include "dash/Matrix.h"
