#pragma once

#include "input/Field.h"

namespace terrain {

/// The reference solver: the same scheme over the whole terrain in one loop nest, without blocks or
/// halos.
/// \returns the terrain after \p steps steps
Field solve_serially(Field elevation, long steps, double alpha);

/// Compares `after` with the result of the reference solver, bit by bit.
/// \throws UserError  names the first cell that differs
void check_against_serial(const Field& before, const Field& after, long steps, double alpha);

}  // namespace terrain
