#pragma once

#include "Field.h"

namespace terrain {

/// The reference: the same scheme over the whole terrain in one loop nest, written without blocks
/// or halos.
/// \returns the terrain after \p steps steps
Field solve_serially(Field elevation, long steps, double alpha);

}  // namespace terrain
