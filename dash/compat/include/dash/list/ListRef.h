#pragma once
#include "dash/List.h"
