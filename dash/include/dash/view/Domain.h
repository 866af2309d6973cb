#pragma once

/// \file
/// dash::domain

#include "dash/view/Origin.h"
