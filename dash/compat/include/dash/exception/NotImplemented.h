#pragma once
#include "dash/Exception.h"
