#pragma once

/// \file
/// Allocators of native and of global memory, and unique pointers to what they allocate.

#include "dash/allocator/AllocatorTraits.h"
#include "dash/allocator/EpochSynchronizedAllocator.h"
#include "dash/allocator/GlobalAllocator.h"
#include "dash/memory/UniquePtr.h"
