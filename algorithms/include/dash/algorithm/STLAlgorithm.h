#pragma once

/// \file
/// The algorithms of the standard library on global ranges: global iterators are iterators.

#include <algorithm>
#include <numeric>

#include "dash/Iterator.h"
