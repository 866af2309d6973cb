#pragma once

#include "Field.h"

namespace terrain {

/// The reference: the same scheme over the whole terrain in one loop nest, written without blocks
/// or halos.
/// \returns the terrain after \p steps steps
Field solve_serially(Field elevation, long steps, double alpha);

/// \throws UserError naming the first cell of `after` that is not as the reference has it, to the last
///         bit
void check_against_serial(const Field& before, const Field& after, long steps, double alpha);

}  // namespace terrain
