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

/// Base class of the exchanges with MPI: the bins are divided into equal blocks; the derived class
/// provides the memory.
class MpiExchange : public Exchange {
 public:
  MpiExchange(const Options& options, kernels::World& world);

  void reset() override;
  BinRange own_bins() override { return {first_bin(_unit), {own(), num_bins(_unit)}}; }
  void collect(Count* histogram) override;

 protected:
  /// The caller's counts in its own bins.
  virtual Count* own() = 0;
  std::size_t first_bin(int unit) const;
  std::size_t num_bins(int unit) const { return first_bin(unit + 1) - first_bin(unit); }
  int owner(Key key) const;
  /// Number of the buffer for the counts of this round; other processes may still read the counts
  /// of the previous round in the other one. Two buffers are enough: a process that counts round r
  /// + 2 has the counts of round r + 1 of all other processes, which have read those of round r
  /// before.
  std::size_t buffer() const { return _round % 2; }

  kernels::World& _world;
  Problem _problem;
  Combining _combining;
  int _unit;
  int _units;
  std::size_t _round = 0;

 private:
  int _shift =
      -1;  // log2 of the bins of each unit, if all units have the same power of two; otherwise -1
};

/// Two-sided: each unit sends each owner the counts of its bins. All sends are started at once,
/// after all receives have been posted.
class TwoSidedExchange final : public MpiExchange {
 public:
  TwoSidedExchange(const Options& options, kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;

 private:
  Count* own() override { return _histogram.data(); }
  void post_receives();
  void exchange_counts();
  Count* received_from(int unit) {
    return &_received[static_cast<std::size_t>(unit) * num_bins(_unit)];
  }

  std::vector<Count> _histogram;
  std::array<std::vector<Count>, 2> _counts;
  std::vector<Count> _received;
  std::vector<MPI_Request> _receives;
  std::vector<MPI_Request> _sends;  // sends of the previous round
};

/// One-sided, in one epoch: owners get the counts of their bins, or units accumulate their counts
/// at the owners.
class RmaExchange final : public MpiExchange {
 public:
  RmaExchange(const Options& options, kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;
  void reset() override;

 private:
  Count* own() override { return _memory.local<Count>(); }
  Count* counts() { return own() + counts_offset(_unit); }
  /// Offset of a unit's counts in its memory.
  std::size_t counts_offset(int unit) const { return num_bins(unit) + buffer() * _problem.bins(); }
  void gather();
  void accumulate();
  void add_each(const std::vector<Key>& keys);
  /// Puts a value to each other process and waits for the values of all.
  void barrier();

  kernels::MpiMemory
      _memory;  // the unit's block of the histogram, then two buffers of counts of all bins
  kernels::PutSlots<char> _arrivals;
  std::vector<Count> _fetched;
  std::vector<MPI_Request> _gets;
};

/// Shared memory: counts and histogram are accessed in place. Adding vectors under a lock for some
/// bins takes less time than atomic additions of counts.
class SharedExchange final : public MpiExchange {
 public:
  SharedExchange(const Options& options, kernels::World& world);
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;

 private:
  struct alignas(64) Lock {
    std::atomic<bool> is_taken;
  };
  /// Number of locks of each unit.
  std::size_t num_locks() const {
    return _problem.bins() / static_cast<std::size_t>(_units) / bins_of_lock + 1;
  }
  Count* own() override { return block(_unit); }
  Lock* locks(int unit) { return _memory.of<Lock>(unit); }
  Count* block(int unit) { return reinterpret_cast<Count*>(locks(unit) + num_locks()); }
  Count* counts(int unit) { return block(unit) + num_bins(unit) + buffer() * _problem.bins(); }
  void gather();
  void accumulate();
  /// Stores a value and waits for the values of all processes.
  void barrier();
  static void add(Lock& lock, const Count* added, std::span<Count> sums);
  void add_each(const std::vector<Key>& keys);

  kernels::MpiMemory
      _memory;  // locks, the unit's block of the histogram, two buffers of counts of all bins
  kernels::SharedSlots<char> _arrivals;
};

std::unique_ptr<Exchange> make_mpi_exchange(const Options& options, kernels::World& world,
                                            const std::string& via);

}  // namespace histogram
