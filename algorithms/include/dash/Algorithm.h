#pragma once

/// \file
/// All algorithms.

#include "dash/algorithm/Bcast.h"
#include "dash/algorithm/AllOf.h"
#include "dash/algorithm/Copy.h"
#include "dash/algorithm/CopyIf.h"
#include "dash/algorithm/Count.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/Find.h"
#include "dash/algorithm/ForEach.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/Histogram.h"
#include "dash/algorithm/IsSorted.h"
#include "dash/algorithm/LocalRange.h"
#include "dash/algorithm/MinMax.h"
#include "dash/algorithm/NthElement.h"
#include "dash/algorithm/Operation.h"
#include "dash/algorithm/Partition.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Sort.h"
#include "dash/algorithm/SUMMA.h"
#include "dash/algorithm/Transform.h"
#include "dash/algorithm/Unique.h"
