#pragma once
#include "dash/atomic/TypeTraits.h"
