#pragma once
#include "dash/GlobAsyncRef.h"
#include "dash/Iterator.h"
