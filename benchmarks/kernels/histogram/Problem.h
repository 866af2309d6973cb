#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/NasKeys.h"

namespace histogram {

using Key = std::uint32_t;
using Count = std::uint32_t;

/// Keys of the generator of NAS IS: sums of four random numbers, between 0 and 2^log_bins.
struct Problem {
  int log_keys = 20;
  int log_bins = 16;
  int rounds = 10;

  std::uint64_t keys() const { return std::uint64_t{1} << log_keys; }
  std::size_t bins() const { return std::size_t{1} << log_bins; }
};

/// Writes keys first ... first + keys.size() - 1 of the sequence.
void generate(const Problem& problem, std::uint64_t first, std::vector<Key>& keys);

/// As IS does before round 1, 2, ...: two keys become others.
/// \param first  number in the sequence of keys.front()
void change(const Problem& problem, int round, std::uint64_t first, std::vector<Key>& keys);

/// Changes all keys, so that they are in other bins than in the round before, and in the one before that.
void change_all(int round, std::vector<Key>& keys);

/// Some bins of a histogram.
struct Part {
  std::size_t first;
  std::span<const Count> counts;
};

/// Differs if counts are in other bins. That of a histogram is the sum of those of its parts, modulo 2^64.
std::uint64_t checksum(const Part& part);

/// Counts keys. \param counts  bins() of them, which are set
void count(const std::vector<Key>& keys, std::span<Count> counts);

/// Sets `sums` to the sums of parts of as many counts each, of which there is one at least.
void sum(std::span<const Count* const> parts, std::span<Count> sums);

/// What is wrong with the histogram after a round; empty if nothing. Compares it, bin by bin, with a count by
/// one process, and for classes of NAS IS the ranks that it tests.
class Verifier {
 public:
  explicit Verifier(const Problem& problem);

  /// \param round  1, 2, ..., that of the call before or a later one
  std::string check(int round, const std::vector<Count>& histogram);
  /// Of rounds before each of which change_all() was called, too.
  /// \param sums  checksums of the histograms after round 1, 2, ...; check() cannot be called any more
  std::string check_sums(const std::vector<std::uint64_t>& sums);
  /// What was compared, for people.
  std::string method() const;

 private:
  std::string check_ranks(int round, const std::vector<Count>& histogram) const;

  Problem _problem;
  const kernels::NasClass* _class;
  int _round = 0;
  std::vector<Key> _keys;  // all, of that round
};

}  // namespace histogram
