#pragma once

/// \file
/// The library: containers, patterns, algorithms. The halo module has headers of its own,
/// dash/halo/HaloMatrixWrapper.h first.

#include "dash/Algorithm.h"
#include "dash/Array.h"
#include "dash/Async.h"
#include "dash/Cartesian.h"
#include "dash/Collectives.h"
#include "dash/Container.h"
#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/GlobAsyncRef.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Init.h"
#include "dash/Iterator.h"
#include "dash/Matrix.h"
#include "dash/Onesided.h"
#include "dash/Pattern.h"
#include "dash/Range.h"
#include "dash/Signal.h"
#include "dash/Task.h"
#include "dash/Tasks.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"
