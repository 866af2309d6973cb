#pragma once
#include "dash/Pattern.h"
