#pragma once
#include "dash/View.h"
