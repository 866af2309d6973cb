#pragma once

#include "dash/map/HashLocal.h"
#include "dash/map/UnorderedMap.h"
#include "dash/map/UnorderedMapGlobIter.h"
#include "dash/map/UnorderedMapLocalIter.h"
#include "dash/map/UnorderedMapLocalRef.h"
