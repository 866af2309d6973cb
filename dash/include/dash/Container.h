#pragma once

/// \file
/// All containers.

#include "dash/Array.h"
#include "dash/Coarray.h"
#include "dash/List.h"
#include "dash/Matrix.h"
#include "dash/UnorderedMap.h"
