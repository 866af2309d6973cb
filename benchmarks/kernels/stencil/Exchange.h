#pragma once

#include <array>

#include "Problem.h"

namespace stencil {

/// The two arrays with a unit's rows, count * width() elements each.
struct RowArrays {
  float* current;
  float* next;  ///< only for Jacobi
};

/// Owns the memory of a unit's rows and exchanges rows between neighbours, in phases. A phase reads
/// the neighbours' rows as they were after the previous phase. A unit starts a phase only after it
/// has finished the previous one, so that two alternating buffers are enough.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual RowArrays arrays() = 0;

  /// Starts a phase: sends the caller's first and last row to its neighbours. The rows must not be
  /// changed before finish().
  virtual void start(const float* first, const float* last) = 0;
  /// Waits for the rows of the neighbours.
  virtual void finish() = 0;

  /// The neighbours' rows above the caller's first and below its last row; valid until the next
  /// finish().
  /// \pre there is a neighbour on that side
  virtual const float* above() const = 0;
  virtual const float* below() const = 0;

  /// A split-phase maximum over all units: start_maximum() contributes a value, maximum() waits for
  /// the result. The next phase may be started in between, but not the next maximum. \collective @{
  virtual void start_maximum(unsigned own) = 0;
  virtual unsigned maximum() = 0;
  /// @}

  /// Copies the rows of all units to unit 0. \collective
  /// \param rows  the caller's rows, in one of the two arrays
  /// \param grid  memory for all rows on unit 0; unused on other units
  virtual void collect(const float* rows, float* grid) = 0;
};

/// The two sides of a unit's rows.
enum Side { side_above, side_below };
inline constexpr std::array sides{side_above, side_below};
constexpr Side opposite(Side side) {
  return side == side_above ? side_below : side_above;
}

/// The neighbours of a unit on both sides, -1 if there is none.
struct Neighbours {
  Neighbours(int unit, int units) : of{unit - 1, unit + 1 < units ? unit + 1 : -1} {}
  std::array<int, 2> of;
};

}  // namespace stencil
