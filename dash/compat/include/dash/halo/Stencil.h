#pragma once
#include "dash/halo/HaloMatrixWrapper.h"
