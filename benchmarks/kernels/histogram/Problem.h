#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/NasKeys.h"

namespace histogram {

using Key = std::uint32_t;
using Count = std::uint32_t;

/// Keys of the generator of NAS IS: sums of four random numbers, below 2^log_bins.
struct Problem {
  int log_keys = 20;
  int log_bins = 16;
  int rounds = 10;

  std::uint64_t keys() const { return std::uint64_t{1} << log_keys; }
  std::size_t bins() const { return std::size_t{1} << log_bins; }
};

/// Generates the keys first ... first + keys.size() - 1 of the sequence.
void generate(const Problem& problem, std::uint64_t first, std::vector<Key>& keys);

/// Replaces two keys, as IS does before round 1, 2, ...
/// \param first  number of keys.front() in the sequence
void change(const Problem& problem, int round, std::uint64_t first, std::vector<Key>& keys);

/// Changes all keys, so that their bins differ from those of the two previous rounds.
void change_all(int round, std::vector<Key>& keys);

/// A range of bins of a histogram.
struct BinRange {
  std::size_t first;
  std::span<const Count> counts;
};

/// A checksum that depends on the positions of the counts. The checksum of a histogram is the sum
/// of those of its ranges, modulo 2^64.
std::uint64_t checksum(const BinRange& range);

/// Counts keys. \param counts  bins() counts, which are overwritten
void count(const std::vector<Key>& keys, std::span<Count> counts);

/// Adds arrays of sums.size() counts element by element.
/// \param arrays  at least one
void sum(std::span<const Count* const> arrays, std::span<Count> sums);

/// Verifies the histogram after a round: compares it, bin by bin, with the counts of one process.
/// For classes of NAS IS, it also compares the ranks that IS tests.
class Verifier {
 public:
  explicit Verifier(const Problem& problem);

  /// \param round  1, 2, ...; not less than that of the previous call
  /// \returns an error message; empty if the histogram is correct
  std::string check(int round, const std::vector<Count>& histogram);
  /// Verifies rounds before each of which change_all() was called, too. Afterwards check() must not
  /// be called.
  /// \param sums  checksums of the histograms after round 1, 2, ...
  /// \returns an error message; empty if the checksums are correct
  std::string check_sums(const std::vector<std::uint64_t>& sums);
  /// Describes the comparison.
  std::string method() const;

 private:
  std::string check_ranks(int round, const std::vector<Count>& histogram) const;

  Problem _problem;
  const kernels::NasClass* _class;
  int _round = 0;
  std::vector<Key> _keys;  // all keys in round _round
};

}  // namespace histogram
