#pragma once
#include "dash/memory/GlobHeapMem.h"
