#pragma once

#include <memory>
#include <string>
#include <vector>

#include "Run.h"
#include "support/MpiProgram.h"

namespace histogram {

/// What the exchanges by MPI have in common: bins in equal blocks, whose counts are in memory that
/// the program chooses.
class MpiExchange : public Exchange {
 public:
  MpiExchange(const Options& options, const kernels::World& world);

  void reset() override;
  void collect(Count* histogram) override;

 protected:
  /// The caller's counts of its own bins.
  virtual Count* own() = 0;
  std::size_t first_bin(int unit) const;
  std::size_t num_bins(int unit) const { return first_bin(unit + 1) - first_bin(unit); }
  int owner(Key key) const;
  /// Adds counts of the caller's bins.
  void add_to_own(const Count* counts);

  Problem _problem;
  Combining _combining;
  int _unit;
  int _units;
};

/// Each unit sends the owners their counts, all at once.
class TwoSidedExchange final : public MpiExchange {
 public:
  TwoSidedExchange(const Options& options, const kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;

 private:
  Count* own() override { return _histogram.data(); }
  void send();

  std::vector<Count> _histogram;
  std::vector<Count> _counts;
  std::vector<Count> _received;
};

/// The owners get the counts of their bins, or units accumulate theirs; one epoch.
class RmaExchange final : public MpiExchange {
 public:
  RmaExchange(const Options& options, const kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;
  void reset() override;

 private:
  Count* own() override { return _memory.local<Count>(); }
  Count* counts() { return own() + num_bins(_unit); }
  /// Bytes before the counts of all bins of a unit.
  MPI_Aint counts_place(int unit) const {
    return static_cast<MPI_Aint>(num_bins(unit) * sizeof(Count));
  }
  void gather();
  void accumulate();
  void add_each(const std::vector<Key>& keys);

  kernels::MpiMemory _memory;  // the histogram, then the counts of all bins
  std::vector<Count> _fetched;
};

/// Counts and histogram are read and changed where they are.
class SharedExchange final : public MpiExchange {
 public:
  SharedExchange(const Options& options, const kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;

 private:
  Count* own() override { return part(_unit); }
  Count* part(int unit) { return _memory.of<Count>(unit); }
  Count* counts(int unit) { return part(unit) + num_bins(unit); }
  void gather();
  void accumulate();
  void add_each(const std::vector<Key>& keys);

  kernels::MpiMemory _memory;
};

std::unique_ptr<Exchange> make_mpi_exchange(const Options& options, const kernels::World& world,
                                            const std::string& via);

}  // namespace histogram
