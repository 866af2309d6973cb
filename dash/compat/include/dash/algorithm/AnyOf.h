#pragma once
#include "dash/algorithm/AllOf.h"
