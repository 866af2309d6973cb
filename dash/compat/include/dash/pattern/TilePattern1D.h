#pragma once
#include "dash/pattern/TilePattern.h"
