#pragma once
#include "dash/UnorderedMap.h"
