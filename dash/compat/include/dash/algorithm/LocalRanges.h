#pragma once
#include "dash/algorithm/LocalRange.h"
