#pragma once
#include "dash/pattern/ShiftTilePattern.h"
