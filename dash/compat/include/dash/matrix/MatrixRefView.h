#pragma once
#include "dash/Matrix.h"
