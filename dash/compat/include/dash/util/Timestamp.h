#pragma once
#include "dash/util/Timer.h"
