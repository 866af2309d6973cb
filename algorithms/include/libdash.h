#pragma once

/// \file
/// Includes the C++ interface and the C interface. Programs that define DASH_LEAN compile faster: they include what
/// docs/reference/compatibility.md lists themselves, such as halos (dash/halo/HaloMatrixWrapper.h).

// Programs written for DASH rely on this include.
#include <iostream>

#include "dash/Algorithm.h"
#include "dash/Allocator.h"
#include "dash/Annotation.h"
#include "dash/Array.h"
#include "dash/Async.h"
#include "dash/Atomic.h"
#include "dash/Cartesian.h"
#include "dash/Coarray.h"
#include "dash/Coevent.h"
#include "dash/Collectives.h"
#include "dash/Comutex.h"
#include "dash/Container.h"
#include "dash/Deferred.h"
#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/Exception.h"
#include "dash/ExecutionPolicy.h"
#include "dash/Future.h"
#include "dash/GlobAsyncRef.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/HView.h"
#include "dash/Init.h"
#include "dash/Iterator.h"
#include "dash/LaunchPolicy.h"
#include "dash/List.h"
#include "dash/Matrix.h"
#include "dash/Meta.h"
#include "dash/Mutex.h"
#include "dash/Onesided.h"
#include "dash/Pair.h"
#include "dash/ParallelFor.h"
#include "dash/Pattern.h"
#include "dash/Range.h"
#include "dash/Shared.h"
#include "dash/SharedCounter.h"
#include "dash/Signal.h"
#include "dash/Task.h"
#include "dash/Tasks.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/UnorderedMap.h"
#include "dash/Version.h"
#include "dash/View.h"
#include "dash/ViewSpec.h"
#include "dash/internal/Config.h"
#include "dash/internal/Math.h"
#include "dash/internal/StreamConversion.h"
#include "dash/memory/GlobLocalMemoryPool.h"
#include "dash/memory/MemorySpaceRegistry.h"
#include "dash/memory/SimpleMemoryPoolResource.h"
#include "dash/util/ArrayExpr.h"
#include "dash/util/BenchmarkParams.h"
#include "dash/util/Config.h"
#include "dash/util/FunctionalExpr.h"
#include "dash/util/IndexSequence.h"
#include "dash/util/Locality.h"
#include "dash/util/LocalityDomain.h"
#include "dash/util/LocalityJSONPrinter.h"
#include "dash/util/PatternMetrics.h"
#include "dash/util/StaticConfig.h"
#include "dash/util/TeamLocality.h"
#include "dash/util/Timer.h"
#include "dash/util/Trace.h"
#include "dash/util/UnitLocality.h"
#include "dash/util/UniversalMember.h"

#ifndef DASH_LEAN
// Programs written for DASH rely on these includes, too.
#include <cassert>
#include <fstream>
#include <iomanip>
#include <list>
#include <thread>

#include "dash/dart/if/dart_locality.h"
#include "dash/halo/HaloMatrixWrapper.h"
#include "dash/internal/Logging.h"
#include "dash/memory/GlobHeapMem.h"
#include "dash/tools/PatternVisualizer.h"
#endif
