#pragma once
#include "dash/Atomic.h"
