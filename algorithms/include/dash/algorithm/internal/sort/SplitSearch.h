#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dash/core/Export.h"

namespace dash::internal {

/// An element that a unit sends to all units, identified by its position.
struct Sample {
  std::uint32_t sequence;
  std::uint32_t slot;      ///< index among the samples of its unit in this round
  std::uint64_t position;  ///< in its sequence
};

/// Searches for the splits of sorted sequences, one per unit, by given ranks: the elements in front
/// of the splits of a rank are the `rank` smallest elements of all sequences.
///
/// Equal elements are ordered by sequence and position, so that each rank has exactly one split.
/// All units get the same samples and compute the same bounds. The elements between two samples of
/// a sequence are unknown, but their number is known. A round uses s = `per_round` samples of each
/// sequence and divides the number of undecided elements of each split by about s / 4. This class
/// does not depend on the element type.
/// \see Regular sampling: Shi, Schaeffer, Parallel sorting by regular sampling, 1992; splits for
///      all ranks at once: Kale, Krishnan, A comparison based parallel sorting algorithm, 1993
class DASH_API SplitSearch {
 public:
  /// \param sizes  elements of each sequence
  /// \param ranks  the number of elements in front of each split, ascending
  /// \param sample_bytes  size of a sample, from which the number of samples per round is computed
  SplitSearch(std::vector<std::uint64_t> sizes, const std::vector<std::uint64_t>& ranks,
              std::size_t sample_bytes);

  /// Maximum number of samples of a sequence in a round, the same in all rounds.
  std::size_t per_round() const noexcept { return _per_round; }
  bool done() const noexcept { return _open.empty(); }

  /// Number of sets of samples (columns) in the next round: one per undecided rank; in the first
  /// round all ranks share one.
  std::size_t columns() const noexcept;
  /// The samples of a column, sequence by sequence, in ascending order.
  std::vector<Sample> samples(std::size_t column) const;
  /// Evaluates the samples of all columns, in sorted order, and ends the round.
  /// \throws exception::InvalidArgument if the comparison is not a strict weak ordering of the
  ///          elements
  void narrow(const std::vector<std::vector<Sample>>& sorted);

  /// Number of elements of a sequence in front of the split of a rank. \pre done()
  std::uint64_t split(std::size_t rank, std::size_t sequence) const {
    return _low[rank * _sizes.size() + sequence];
  }

 private:
  std::uint64_t low(std::size_t rank, std::size_t sequence) const {
    return _low[rank * _sizes.size() + sequence];
  }
  std::uint64_t high(std::size_t rank, std::size_t sequence) const {
    return _high[rank * _sizes.size() + sequence];
  }
  std::size_t per_column() const noexcept;
  std::uint64_t undecided(std::size_t rank) const;
  void narrow_rank(std::size_t rank, const std::vector<Sample>& sorted);
  void check() const;

  std::vector<std::uint64_t> _sizes;
  std::vector<std::uint64_t> _ranks;
  std::vector<std::uint64_t> _low;   // lower bound of the split of each rank and sequence
  std::vector<std::uint64_t> _high;  // upper bound
  std::vector<std::size_t> _open;    // indices of the undecided ranks
  std::size_t _per_round = 0;
  bool _first_round = true;  // no rank has bounds yet, so all ranks share samples
};

}  // namespace dash::internal
