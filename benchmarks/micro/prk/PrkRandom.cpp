// dash-bench: units=1,2,8 layouts=node,nolocal quick=node
//
// PRK random (Prk.h): T(x mod 2^m) ^= x along the stream of HPC Challenge, four updates for each
// word of the table. A unit generates at most 1024 updates before they are applied. Compared with
// messages of batches, and with MPI_Accumulate. Verified: after an even number of iterations
// each word has its initial value, after an odd number the tables are equal.

#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/Init.h>
#include <dash/Signal.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "micro/prk/Prk.h"

using namespace dash::bench;

namespace {

using Word = std::uint64_t;

constexpr std::size_t look_ahead = 1024;
constexpr std::size_t updates_per_word = 4;
/// Position of the first update in the stream, and its period.
constexpr Word seed = 834568137686317453U;
constexpr Word period = 1317624576693539401U;

/// The next element of the stream: the product with x modulo x^64 + x^2 + x + 1 over GF(2).
constexpr Word next(Word element) {
  return (element << 1) ^ ((element >> 63) != 0 ? 7U : 0U);
}

constexpr Word product(Word a, Word b) {
  Word result = 0;
  for (int bit = 63; bit >= 0; --bit)
    result = next(result) ^ ((b >> bit & 1U) != 0 ? a : 0);
  return result;
}

/// The element at a position: the power of x.
constexpr Word element(Word position) {
  Word result = 1;
  Word power = 2;
  for (Word rest = position % period; rest != 0; rest >>= 1) {
    if ((rest & 1U) != 0) result = product(result, power);
    power = product(power, power);
  }
  return result;
}

/// The table of 2^m words in blocks of equal size, and the updates of a unit. The number of units
/// is a power of two.
class Problem {
 public:
  Problem(const World& world, unsigned log2_size)
      : _units(static_cast<std::size_t>(world.units())),
        _me(static_cast<std::size_t>(world.unit())),
        _mask((Word{1} << log2_size) - 1),
        _shift(log2_size - static_cast<unsigned>(std::countr_zero(_units))),
        _num_batches((updates_per_word << _shift) / look_ahead) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Word part = (updates_per_word << log2_size) / (lanes * _units);
      _starts[lane] = element(seed + part * (_me * lanes + lane));
    }
  }

  std::size_t units() const { return _units; }
  std::size_t me() const { return _me; }
  std::size_t size() const { return _mask + 1; }
  std::size_t local_size() const { return std::size_t{1} << _shift; }
  std::size_t index(Word update) const { return update & _mask; }
  std::size_t owner(Word update) const { return index(update) >> _shift; }
  std::size_t local_index(Word update) const { return update & (local_size() - 1); }

  /// The states of several generators, as in PRK, whose elements do not depend on each other.
  static constexpr std::size_t lanes = 16;
  using States = std::array<Word, lanes>;

  /// Calls body(states) for each batch of `look_ahead` updates, which the body generates.
  template <class Body>
  void for_each_batch(const Body& body) const {
    States states = _starts;
    for (std::size_t batch = 0; batch < _num_batches; ++batch)
      body(states);
  }

  /// Calls body(update) for the updates of a batch.
  template <class Body>
  static void generate(States& states, const Body& body) {
    States current = states;  // a copy, to which no pointer of the body refers
    for (std::size_t i = 0; i < look_ahead / lanes; ++i) {
      for (Word& state : current) {
        state = next(state);
        body(state);
      }
    }
    states = current;
  }

  /// Generates a batch, and appends each update to the message for its owner.
  /// \param ends  by owner: the end of its message
  [[gnu::noinline]] void distribute(States& states, std::span<Word*> ends) const {
    const Word mask = _mask;
    const unsigned shift = _shift;
    Word** const end_of = ends.data();
    generate(states, [=](Word update) { *end_of[(update & mask) >> shift]++ = update; });
  }

  /// Applies updates to the block of the unit.
  [[gnu::noinline]] void apply(std::span<const Word> updates, Word* local) const {
    const Word mask = local_size() - 1;
    for (const Word update : updates)
      local[update & mask] ^= update;
  }

  void initialize(std::span<Word> local) const {
    std::iota(local.begin(), local.end(), _me * local.size());
  }
  /// The number of words that do not have their initial values.
  std::size_t num_changed(std::span<const Word> local) const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < local.size(); ++i)
      n += local[i] != _me * local.size() + i ? 1 : 0;
    return n;
  }
  void verify(std::span<const Word> local, const char* what) const {
    require(num_changed(local) == 0, what);
  }

 private:
  std::size_t _units;
  std::size_t _me;
  Word _mask;
  unsigned _shift;
  std::size_t _num_batches;
  States _starts{};
};

/// Each batch is put to its owner, with a signal.
///
/// A receive buffer has two slots for each sender. A sender fills a slot again when it has a later
/// batch of the receiver, which has applied the slot before it sent that batch.
class DashBatches {
 public:
  explicit DashBatches(const Problem& problem)
      : _problem(problem),
        _table(problem.size()),
        _received(problem.units() * buffer_size()),
        _sent(buffer_size()),
        _arrived(problem.units()),
        _ends(problem.units()) {
    problem.initialize(local());
    for (std::size_t unit = 0; unit < problem.units(); ++unit) {
      const dash::team_unit_t id(static_cast<int>(unit));
      _signals.push_back(_arrived(id, problem.me()));
    }
  }

  void run() {
    _problem.for_each_batch([this](Problem::States& states) {
      ++_serial;
      for (std::size_t unit = 0; unit < _problem.units(); ++unit)
        _ends[unit] = message_to(unit) + 1;
      _problem.distribute(states, _ends);
      for_other_units([&](std::size_t unit) { send(unit); });
      const Word* const own = message_to(_problem.me());
      _problem.apply({own + 1, _ends[_problem.me()]}, _table.lbegin());
      for_other_units([&](std::size_t unit) {
        _arrived[unit].wait_until(_serial);
        const Word* const message = _received.lbegin() + offset(unit);
        _problem.apply({message + 1, *message}, _table.lbegin());
      });
    });
    dash::barrier();
    ++_iterations;
  }
  void verify() {
    if (_iterations % 2 != 0) run();
    _problem.verify(local(), "random, batches (DASH)");
  }
  std::span<const Word> table() { return local(); }

 private:
  /// The number of updates, then the updates, in whole cache lines.
  static constexpr std::size_t message_size = (1 + look_ahead + 7) / 8 * 8;

  std::span<Word> local() { return {_table.lbegin(), _table.lsize()}; }
  std::size_t buffer_size() const { return 2 * message_size * _problem.units(); }
  std::size_t offset(std::size_t unit) const { return (2 * unit + _serial % 2) * message_size; }
  Word* message_to(std::size_t unit) { return _sent.data() + offset(unit); }
  template <class Body>
  void for_other_units(const Body& body) const {
    for (std::size_t distance = 1; distance < _problem.units(); ++distance)
      body((_problem.me() + distance) % _problem.units());
  }

  void send(std::size_t unit) {
    Word* const message = message_to(unit);
    *message = static_cast<Word>(_ends[unit] - message - 1);
    dash::put_signal(message, _ends[unit],
                     _received.begin() +
                         static_cast<std::ptrdiff_t>(unit * buffer_size() + offset(_problem.me())),
                     _signals[unit], _serial);
  }

  const Problem& _problem;
  dash::Array<Word> _table;
  dash::Array<Word> _received;
  std::vector<Word> _sent;
  dash::SignalArray _arrived;              // by unit: the batch that has arrived
  std::vector<dash::GlobSignal> _signals;  // by unit: its signal that this unit sets
  std::vector<Word*> _ends;
  dash::signal_t _serial = 0;
  int _iterations = 0;
};

/// Each batch is a message to its owner. The receives for the next batch are posted before this one is received.
class MpiBatches {
 public:
  explicit MpiBatches(const Problem& problem)
      : _problem(problem),
        _table(problem.local_size()),
        _sent(2 * problem.units() * look_ahead),
        _received(2 * problem.units() * look_ahead),
        _ends(problem.units()),
        _send_requests(2 * problem.units(), MPI_REQUEST_NULL),
        _receive_requests(2 * problem.units(), MPI_REQUEST_NULL) {
    problem.initialize(_table);
  }

  void run() {
    if (_iterations == 0) post_receives();
    _problem.for_each_batch([this](Problem::States& states) {
      Word* const sent = &_sent[slot()];
      MPI_Waitall(num_units(), send_requests(), MPI_STATUSES_IGNORE);
      for (std::size_t unit = 0; unit < _problem.units(); ++unit)
        _ends[unit] = sent + unit * look_ahead;
      _problem.distribute(states, _ends);
      const std::size_t me = _problem.me();
      for (std::size_t distance = 1; distance < _problem.units(); ++distance) {
        const std::size_t unit = (me + distance) % _problem.units();
        const Word* const begin = sent + unit * look_ahead;
        MPI_Isend(begin, static_cast<int>(_ends[unit] - begin), MPI_UINT64_T,
                  static_cast<int>(unit), 0, MPI_COMM_WORLD, &send_requests()[unit]);
      }
      _problem.apply({sent + me * look_ahead, _ends[me]}, _table.data());
      MPI_Request* const receives = receive_requests();
      const Word* const received = &_received[slot()];
      ++_serial;
      post_receives();
      while (true) {
        int unit = MPI_UNDEFINED;
        MPI_Status status;
        MPI_Waitany(num_units(), receives, &unit, &status);
        if (unit == MPI_UNDEFINED) break;
        int size = 0;
        MPI_Get_count(&status, MPI_UINT64_T, &size);
        _problem.apply({received + static_cast<std::size_t>(unit) * look_ahead,
                        static_cast<std::size_t>(size)},
                       _table.data());
      }
    });
    MPI_Barrier(MPI_COMM_WORLD);
    ++_iterations;
  }
  ~MpiBatches() {
    for (MPI_Request& request : _receive_requests) {
      if (request == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(2 * num_units(), _send_requests.data(), MPI_STATUSES_IGNORE);
  }
  MpiBatches(const MpiBatches&) = delete;
  MpiBatches& operator=(const MpiBatches&) = delete;
  void verify() {
    if (_iterations % 2 != 0) run();
    _problem.verify(_table, "random, batches (MPI)");
  }
  std::span<const Word> table() const { return _table; }

 private:
  int num_units() const { return static_cast<int>(_problem.units()); }
  /// Batches alternate between two buffers and sets of requests.
  std::size_t slot() const { return _serial % 2 * _problem.units() * look_ahead; }
  MPI_Request* send_requests() { return &_send_requests[_serial % 2 * _problem.units()]; }
  MPI_Request* receive_requests() { return &_receive_requests[_serial % 2 * _problem.units()]; }
  void post_receives() {
    for (std::size_t unit = 0; unit < _problem.units(); ++unit) {
      if (unit == _problem.me()) continue;
      MPI_Irecv(&_received[slot() + unit * look_ahead], static_cast<int>(look_ahead), MPI_UINT64_T,
                static_cast<int>(unit), 0, MPI_COMM_WORLD, &receive_requests()[unit]);
    }
  }

  const Problem& _problem;
  Large<Word> _table;
  std::vector<Word> _sent;
  std::vector<Word> _received;
  std::vector<Word*> _ends;
  std::vector<MPI_Request> _send_requests;
  std::vector<MPI_Request> _receive_requests;
  std::size_t _serial = 0;
  int _iterations = 0;
};

/// Atomic operations on the words, which are completed after each batch.
class DashAtomics {
 public:
  explicit DashAtomics(const Problem& problem) : _problem(problem), _table(problem.size()) {
    problem.initialize(local());
    dash::barrier();
  }

  void run() {
    _problem.for_each_batch([this](Problem::States& states) {
      Problem::generate(states, [&](Word update) {
        _table.async[static_cast<Table::index_type>(_problem.index(update))].op(
            dash::bit_xor<Word>(), update);
      });
      _table.flush();
    });
    dash::barrier();
    ++_iterations;
  }
  void verify() {
    if (_iterations % 2 != 0) run();
    _problem.verify(local(), "random, atomic operations (DASH)");
  }
  std::span<const Word> table() { return local(); }

 private:
  using Table = dash::Array<dash::Atomic<Word>>;

  // An atomic element has the layout of its value.
  std::span<Word> local() { return {reinterpret_cast<Word*>(_table.lbegin()), _table.lsize()}; }

  const Problem& _problem;
  Table _table;
  int _iterations = 0;
};

/// One MPI_Accumulate for each update, with all info keys that apply, and a flush after each batch.
class MpiAtomics {
 public:
  explicit MpiAtomics(const Problem& problem) : _problem(problem) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Info_set(info, "same_disp_unit", "true");
    MPI_Info_set(info, "which_accumulate_ops", "bxor");
    MPI_Info_set(info, "accumulate_noncontig_dtype", "false");
    MPI_Info_set(info, "accumulate_max_bytes", "8");
    MPI_Win_allocate(static_cast<MPI_Aint>(problem.local_size() * sizeof(Word)), sizeof(Word), info,
                     MPI_COMM_WORLD, &_table, &_window);
    MPI_Info_free(&info);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, _window);
    problem.initialize(local());
    MPI_Win_sync(_window);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~MpiAtomics() {
    MPI_Win_unlock_all(_window);
    MPI_Win_free(&_window);
  }
  MpiAtomics(const MpiAtomics&) = delete;
  MpiAtomics& operator=(const MpiAtomics&) = delete;

  void run() {
    _problem.for_each_batch([this](Problem::States& states) {
      std::size_t i = 0;
      Problem::generate(states, [&](Word update) {
        _updates[i] = update;
        MPI_Accumulate(&_updates[i++], 1, MPI_UINT64_T, static_cast<int>(_problem.owner(update)),
                       static_cast<MPI_Aint>(_problem.local_index(update)), 1, MPI_UINT64_T,
                       MPI_BXOR, _window);
      });
      MPI_Win_flush_all(_window);
    });
    MPI_Barrier(MPI_COMM_WORLD);
    ++_iterations;
  }
  void verify() {
    if (_iterations % 2 != 0) run();
    _problem.verify(table(), "random, atomic operations (MPI)");
  }
  std::span<const Word> table() const {
    MPI_Win_sync(_window);
    return local();
  }

 private:
  std::span<Word> local() const { return {_table, _problem.local_size()}; }

  const Problem& _problem;
  Word* _table = nullptr;
  MPI_Win _window = MPI_WIN_NULL;
  std::array<Word, look_ahead> _updates{};
  int _iterations = 0;
};

template <class Ours, class Theirs>
void compare_random(const World& world, Table& table, unsigned log2_size, const char* name,
                    const char* baseline) {
  const Problem problem(world, log2_size);
  Ours ours(problem);
  Theirs theirs(problem);
  compare_kernel(world, table, {name, fmt::format("2^{} words", log2_size), baseline}, ours,
                 theirs);
  // The initial values do not prove that there were updates.
  ours.run();
  theirs.run();
  const std::span<const Word> words = ours.table();
  const std::span<const Word> expected = theirs.table();
  require(std::equal(words.begin(), words.end(), expected.begin(), expected.end()), name);
  require(2 * problem.num_changed(words) > words.size(), name);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    if (!std::has_single_bit(static_cast<unsigned>(world.units())))
      throw std::runtime_error("expected a power of two as the number of units");
    Table table;
    // A message between processes that share a processor takes up to a time slice.
    const bool is_slow = world.is_oversubscribed();
    for (const unsigned log2_size : is_slow ? std::vector{12U} : std::vector{16U, 20U}) {
      compare_random<DashBatches, MpiBatches>(world, table, log2_size, "random, batches",
                                              "MPI_Isend, MPI_Irecv");
    }
    // With more units than processors a flush of MPI takes seconds, since its targets have to make
    // progress.
    if (!is_slow) {
      compare_random<DashAtomics, MpiAtomics>(world, table, 12, "random, atomic operations",
                                              "MPI_Accumulate, MPI_Win_flush_all");
    }
    if (world.is_first_unit()) table.print();
  });
}
