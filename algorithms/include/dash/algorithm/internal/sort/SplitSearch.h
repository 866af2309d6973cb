#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dash/core/Export.h"

namespace dash::internal {

/// An element that a unit shows to all others, by its place.
struct Sample {
  std::uint32_t sequence;
  std::uint32_t slot;      ///< among those that its unit shows in this round
  std::uint64_t position;  ///< in its sequence
};

/// The search for where sorted sequences, one of each unit, have to be split so that given numbers
/// of elements are before the splits, and none of them belongs behind an element after the splits.
///
/// Equal elements are ordered by sequence and position, so that each rank has exactly one split.
/// All units see the same samples and draw the same conclusions: what is between two samples of a
/// sequence is not known, but how many elements that are. A round shows `per_round` elements of
/// each sequence, and what is left undecided shrinks by a quarter of the number for each split.
/// This is the part that does not know what the elements are.
/// \see Regular sampling: Shi, Schaeffer, Parallel sorting by regular sampling, 1992; splits for
///      all ranks at once: Kale, Krishnan, A comparison based parallel sorting algorithm, 1993
class DASH_API SplitSearch {
 public:
  /// \param sizes  elements of each sequence
  /// \param ranks  ascending: of each split, the number of elements before it
  /// \param sample_bytes  of a sample, as a round is to have a sensible size
  SplitSearch(std::vector<std::uint64_t> sizes, const std::vector<std::uint64_t>& ranks,
              std::size_t sample_bytes);

  /// The largest number of samples of a sequence in a round, the same in all rounds.
  std::size_t per_round() const noexcept { return _per_round; }
  bool done() const noexcept { return _open.empty(); }

  /// Numbers of the searches that a round goes on with, each with samples of its own.
  std::size_t columns() const noexcept;
  /// What the sequences show for one, sequence by sequence, in ascending order.
  std::vector<Sample> samples(std::size_t column) const;
  /// Takes the samples of all columns in their order, which ends the round.
  /// \throws exception::InvalidArgument if there is no such order
  void narrow(const std::vector<std::vector<Sample>>& sorted);

  /// Of a sequence the number of elements before a split. \pre done()
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
  std::vector<std::uint64_t> _low;   // of each rank and sequence, the split is not before
  std::vector<std::uint64_t> _high;  // ... nor behind
  std::vector<std::size_t> _open;    // ranks that are not decided
  std::size_t _per_round = 0;
  bool _first_round = true;  // where nothing is known of any rank, so that they share samples
};

}  // namespace dash::internal
