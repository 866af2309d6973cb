#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "Run.h"
#include "support/MpiProgram.h"
#include "support/MpiSlots.h"

namespace histogram {

/// What the exchanges by MPI have in common: bins in equal blocks, whose counts are in memory that
/// the program chooses.
class MpiExchange : public Exchange {
 public:
  MpiExchange(const Options& options, kernels::World& world);

  void reset() override;
  Part own_part() override { return {first_bin(_unit), {own(), num_bins(_unit)}}; }
  void collect(Count* histogram) override;

 protected:
  /// The caller's counts of its own bins.
  virtual Count* own() = 0;
  std::size_t first_bin(int unit) const;
  std::size_t num_bins(int unit) const { return first_bin(unit + 1) - first_bin(unit); }
  int owner(Key key) const;
  /// Of two buffers the one for counts of this round: those of the round before may still be read. By it no
  /// process has to wait for others to read its counts: when it counts round r + 2, it has those of r + 1 of
  /// all others, who have read those of r before.
  std::size_t buffer() const { return _round % 2; }

  kernels::World& _world;
  Problem _problem;
  Combining _combining;
  int _unit;
  int _units;
  std::size_t _round = 0;

 private:
  int _shift = -1;  // the logarithm of the bins of each unit, if they are as many and it has one
};

/// Each unit sends the owners their counts, all at once, into buffers that expect them.
class TwoSidedExchange final : public MpiExchange {
 public:
  TwoSidedExchange(const Options& options, kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;

 private:
  Count* own() override { return _histogram.data(); }
  void expect();
  void send();
  Count* received_from(int unit) {
    return &_received[static_cast<std::size_t>(unit) * num_bins(_unit)];
  }

  std::vector<Count> _histogram;
  std::array<std::vector<Count>, 2> _counts;
  std::vector<Count> _received;
  std::vector<MPI_Request> _receives;
  std::vector<MPI_Request> _sends;  // of the round before
};

/// The owners get the counts of their bins, or units accumulate theirs; one epoch.
class RmaExchange final : public MpiExchange {
 public:
  RmaExchange(const Options& options, kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;
  void reset() override;

 private:
  Count* own() override { return _memory.local<Count>(); }
  Count* counts() { return own() + counts_place(_unit); }
  /// Of all bins of a unit, in its memory.
  std::size_t counts_place(int unit) const { return num_bins(unit) + buffer() * _problem.bins(); }
  void gather();
  void accumulate();
  void add_each(const std::vector<Key>& keys);
  /// A barrier: a put to each other process, and a wait for theirs.
  void meet();

  kernels::MpiMemory _memory;  // the histogram, then the counts of all bins, twice
  kernels::PutSlots<char> _arrivals;
  std::vector<Count> _fetched;
  std::vector<MPI_Request> _gets;
};

/// Counts and histogram are read and changed where they are: a lock for some bins and additions of vectors cost
/// less than atomic additions of counts.
class SharedExchange final : public MpiExchange {
 public:
  SharedExchange(const Options& options, kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;

 private:
  struct alignas(64) Lock {
    std::atomic<bool> is_taken;
  };
  /// Of each unit.
  std::size_t num_locks() const {
    return _problem.bins() / static_cast<std::size_t>(_units) / bins_of_lock + 1;
  }
  Count* own() override { return part(_unit); }
  Lock* locks(int unit) { return _memory.of<Lock>(unit); }
  Count* part(int unit) { return reinterpret_cast<Count*>(locks(unit) + num_locks()); }
  Count* counts(int unit) { return part(unit) + num_bins(unit) + buffer() * _problem.bins(); }
  void gather();
  void accumulate();
  /// A barrier: a store of each process's, and a wait for those of the others.
  void meet();
  static void add(Lock& lock, const Count* added, std::span<Count> sums);
  void add_each(const std::vector<Key>& keys);

  kernels::MpiMemory _memory;  // locks, the histogram, then the counts of all bins, twice
  kernels::SharedSlots<char> _arrivals;
};

std::unique_ptr<Exchange> make_mpi_exchange(const Options& options, kernels::World& world,
                                            const std::string& via);

}  // namespace histogram
