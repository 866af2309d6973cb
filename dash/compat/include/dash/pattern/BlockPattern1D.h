#pragma once
#include "dash/pattern/BlockPattern.h"
