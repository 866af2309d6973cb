#pragma once
#include "dash/Allocator.h"
