#pragma once

#include <array>

#include "Problem.h"

namespace stencil {

/// Memory of a unit's rows, count * width() each.
struct Strip {
  float* now;
  float* next;  ///< the second array, which Jacobi needs
};

/// The memory of a unit's rows, and what units tell each other, phase by phase: a phase reads the
/// neighbours' rows as the phase before left them. Each unit starts a phase only when it has finished
/// the one before, so that two buffers in turns are enough.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual Strip strip() = 0;

  /// The caller's first and last row are as the next phase needs them. They may be written after
  /// finish().
  virtual void start(const float* first, const float* last) = 0;
  /// Returns when the neighbours' are there.
  virtual void finish() = 0;

  /// A row of a neighbour's before the caller's first and after its last one, until the next finish().
  /// \pre there is a neighbour
  virtual const float* above() const = 0;
  virtual const float* below() const = 0;

  /// The largest of all units' values: each unit tells its own, may go on to the next phase, and then
  /// gets that of all, before it tells another one. \collective
  /// @{
  virtual void start_maximum(unsigned own) = 0;
  virtual unsigned maximum() = 0;
  /// @}

  /// Copies the rows of all units to unit 0. \collective
  /// \param rows  the caller's, in one of the two arrays   \param grid  unused elsewhere
  virtual void collect(const float* rows, float* grid) = 0;
};

/// The two sides of a unit's rows.
enum Side { side_above, side_below };
inline constexpr std::array sides{side_above, side_below};
constexpr Side opposite(Side side) {
  return side == side_above ? side_below : side_above;
}

/// Units beside a unit, -1 where there is none.
struct Neighbours {
  Neighbours(int unit, int units) : of{unit - 1, unit + 1 < units ? unit + 1 : -1} {}
  std::array<int, 2> of;
};

}  // namespace stencil
