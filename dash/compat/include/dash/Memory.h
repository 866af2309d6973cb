#pragma once
#include "dash/Allocator.h"
#include "dash/GlobPtr.h"
#include "dash/memory/GlobHeapMem.h"
