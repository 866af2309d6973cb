#include "MpiQueues.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "MpiMessages.h"
#include "support/MpiProgram.h"
#include "support/MpiWait.h"
#include "support/UserError.h"

namespace uts {

namespace {

using kernels::MpiMemory;

/// A word that shares no cache line with the next. Not aligned, since MPI aligns windows to a few bytes only.
struct PaddedWord {
  std::uint64_t value;
  std::array<std::uint64_t, 7> padding;
};
using Words = std::array<PaddedWord, QueueAccess::num_words>;

int rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
int size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Memory of one unit: its words, then its nodes.
class MpiQueueAccess : public QueueAccess {
 public:
  MpiQueueAccess(std::size_t capacity, MpiMemory::Kind kind)
      : _capacity(capacity), _memory(sizeof(Words) + capacity * sizeof(Node), kind) {
    std::fill_n(_memory.local<PaddedWord>(), num_words, PaddedWord{});
    MPI_Win_sync(_memory.window());
    MPI_Barrier(MPI_COMM_WORLD);
  }

  int unit() const override { return _unit; }
  int units() const override { return _units; }
  std::size_t capacity() const override { return _capacity; }
  Node* own_nodes() override { return nodes_in(_memory.local<char>()); }

 protected:
  static Node* nodes_in(char* memory) { return reinterpret_cast<Node*>(memory + sizeof(Words)); }

  const int _unit = rank();
  const int _units = size();
  const std::size_t _capacity;
  MpiMemory _memory;
};

/// All units access the words by atomic operations of MPI only, including their owner.
class WindowQueues final : public MpiQueueAccess {
 public:
  explicit WindowQueues(std::size_t capacity) : MpiQueueAccess(capacity, MpiMemory::Kind::window) {}

  std::uint64_t load(Word word, int unit) override { return fetch(word, unit, 0, MPI_NO_OP); }
  std::uint64_t fetch_add(Word word, int unit, std::uint64_t value) override {
    return fetch(word, unit, value, MPI_SUM);
  }
  std::uint64_t exchange_own(Word word, std::uint64_t value) override {
    MPI_Win_sync(_memory.window());  // other units get nodes that this unit has stored
    return fetch(word, _unit, value, MPI_REPLACE);
  }
  void start_add(Word word, int unit, std::uint64_t value) override {
    complete();  // the last one, long ago: MPI may still read its operand
    _added = value;
    _added_to = unit;
    MPI_Accumulate(&_added, 1, MPI_UINT64_T, unit, place(word), 1, MPI_UINT64_T, MPI_SUM,
                   _memory.window());
  }
  void get(int unit, std::size_t begin, std::size_t count, Node* out) override {
    const auto nbytes = static_cast<int>(count * sizeof(Node));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Rget(out, nbytes, MPI_BYTE, unit,
             static_cast<MPI_Aint>(sizeof(Words) + begin * sizeof(Node)), nbytes, MPI_BYTE,
             _memory.window(), &request);
    kernels::wait_yielding(request);
  }
  void complete() override {
    if (_added_to >= 0) MPI_Win_flush(_added_to, _memory.window());
    _added_to = -1;
  }
  void progress() override {
    kernels::make_progress();
    complete();  // otherwise MPI may delay an addition
  }

 private:
  static MPI_Aint place(Word word) {
    return static_cast<MPI_Aint>(static_cast<std::size_t>(word) * sizeof(PaddedWord));
  }
  std::uint64_t fetch(Word word, int unit, std::uint64_t value, MPI_Op operation) {
    std::uint64_t old = 0;
    MPI_Fetch_and_op(&value, &old, MPI_UINT64_T, unit, place(word), operation, _memory.window());
    MPI_Win_flush(unit, _memory.window());
    return old;
  }

  std::uint64_t _added = 0;
  int _added_to = -1;
};

class SharedQueues final : public MpiQueueAccess {
 public:
  explicit SharedQueues(std::size_t capacity) : MpiQueueAccess(capacity, MpiMemory::Kind::shared) {}

  std::uint64_t load(Word word, int unit) override { return at(word, unit).load(); }
  std::uint64_t fetch_add(Word word, int unit, std::uint64_t value) override {
    return at(word, unit).fetch_add(value);
  }
  std::uint64_t exchange_own(Word word, std::uint64_t value) override {
    return at(word, _unit).exchange(value);
  }
  void start_add(Word word, int unit, std::uint64_t value) override {
    at(word, unit).fetch_add(value);
  }
  void get(int unit, std::size_t begin, std::size_t count, Node* out) override {
    std::copy_n(nodes_in(_memory.of<char>(unit)) + begin, count, out);
  }

 private:
  std::atomic_ref<std::uint64_t> at(Word word, int unit) const {
    return std::atomic_ref(_memory.of<PaddedWord>(unit)[static_cast<std::size_t>(word)].value);
  }
};

}  // namespace

std::unique_ptr<Balancer> make_mpi_balancer(const std::string& via,
                                            const BalancerOptions& options) {
  constexpr std::size_t capacity = BalancerOptions::capacity;
  if (via == "two-sided") {
    if (!options.polls)
      throw kernels::UserError(
          "--no-polls: not with --via two-sided, where units answer requests when they poll");
    return std::make_unique<MpiMessages>(options.chunk, capacity);
  }
  std::unique_ptr<QueueAccess> access;
  if (via == "shared") {
    access = std::make_unique<SharedQueues>(capacity);
  } else {
    access = std::make_unique<WindowQueues>(capacity);
  }
  return std::make_unique<WorkQueues>(std::move(access), options);
}

}  // namespace uts
