#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dash/core/Clock.h"

namespace dash::exec {

/// How many pieces of work of unknown cost to take at a time: as many as keep the cost of taking them
/// small, and fewer towards the end, so that nobody is left with much when the others are done.
/// \threads one at a time per object
class Pace {
 public:
  /// \param workers  that take of the work
  explicit Pace(std::size_t workers) noexcept : _share(2 * std::max<std::size_t>(workers, 2)) {}

  /// The number of pieces, at least 1, to take of those from `next` to `end` - 1.
  std::size_t batch(std::size_t next, std::size_t end) const noexcept {
    const double each = std::max(_ns_per_piece, least_ns);
    const std::size_t few = each * few_pieces <= few_ns ? few_pieces : 1;
    const std::size_t most =
        std::min({std::max((end - next) / _share, few), growth * _latest, end - next});
    const double wanted = static_cast<double>(batch_ns) / each;
    if (wanted < static_cast<double>(whole)) {
      return std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1,
                                     std::max<std::size_t>(most, 1));
    }
    const std::size_t many =
        wanted < static_cast<double>(most) ? static_cast<std::size_t>(wanted) : most;
    const std::size_t stop = (next + many) / whole * whole;
    return stop > next ? stop - next : std::max<std::size_t>(many, 1);
  }

  double ns_per_piece() const noexcept { return _ns_per_piece; }

  /// Calls f() for a number of pieces. The latest count most.
  template <class F>
  void run(std::size_t pieces, F&& f) {
    const std::uint64_t begin = core::now_ns();
    f();
    note(pieces, core::now_ns() - begin);
  }
  /// Such a number took so long.
  void note(std::size_t pieces, std::uint64_t ns) noexcept {
    const double each = static_cast<double>(ns) / static_cast<double>(pieces);
    _ns_per_piece = _latest == 0 ? each : (_ns_per_piece + each) / 2;
    _latest = pieces;
  }

 private:
  /// So long a batch is meant to take: a hundred times what taking it costs.
  static constexpr std::uint64_t batch_ns = 30'000;
  /// So few that take so little are not divided for an even load.
  static constexpr std::size_t few_pieces = 16;
  static constexpr double few_ns = 3'000;
  static constexpr double least_ns = 1e-3;
  /// A batch is at most so many times the one before: what comes may cost more.
  static constexpr std::size_t growth = 8;
  /// Larger batches end at multiples of it: pieces may be elements, and these are cache lines.
  static constexpr std::size_t whole = 64;

  std::size_t _share;       // of what is left, the part that may go into a batch
  std::size_t _latest = 0;  // batch
  double _ns_per_piece = 0;
};

}  // namespace dash::exec
