#pragma once

/// \file
/// Elements that are accessed atomically, their references, and the operations on them.

#include "dash/atomic/AtomicAsyncRef.h"
#include "dash/atomic/AtomicElement.h"
#include "dash/atomic/AtomicRef.h"
#include "dash/atomic/Operations.h"
#include "dash/atomic/TypeTraits.h"
