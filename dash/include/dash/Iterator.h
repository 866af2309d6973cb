#pragma once

/// \file
/// All iterators over global memory.

#include "dash/iterator/GlobIter.h"
#include "dash/iterator/GlobViewIter.h"
#include "dash/iterator/IteratorTraits.h"
