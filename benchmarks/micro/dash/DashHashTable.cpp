// dash-bench: units=2,4 layouts=node,nolocal quick=node,nolocal
//
// Inserting into a distributed hash table with open addressing, by functions that run at the owner of a key: dash::rpc,
// dash::am with the futures of a window of inserts, and dash::Aggregator. The first two are compared with one-sided MPI: a
// compare-and-swap of the slot and a put of the value, for all inserts of a window at the same time; the last one with
// messages of all inserts, sorted by unit.

#include <dash/Aggregator.h>
#include <dash/DistObject.h>
#include <dash/Init.h>
#include <dash/Rpc.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "micro/dash/BulkExchange.h"
#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t num_slots = 1 << 14;
/// Inserts of each unit. A quarter of the slots is used in the end.
constexpr std::uint64_t num_inserts = 1 << 12;
/// Inserts of a unit in flight.
constexpr std::size_t window = 64;

struct Slot {
  std::uint64_t key = 0;  // 0: free
  std::uint64_t value = 0;
};

/// Different for all units and inserts, evenly distributed, never 0: a bijection of numbers greater than 0.
std::uint64_t key_of(int unit, std::uint64_t i) noexcept {
  std::uint64_t key = static_cast<std::uint64_t>(unit + 1) * num_inserts + i;
  key *= 0x9e3779b97f4a7c15U;
  key ^= key >> 32;
  return key * 0xd6e8feb86659fd93U;
}
std::uint64_t value_of(std::uint64_t key) noexcept {
  return ~key;
}
int owner_of(std::uint64_t key, int units) noexcept {
  return static_cast<int>((key >> 40) % static_cast<std::uint64_t>(units));
}
std::size_t slot_of(std::uint64_t key) noexcept {
  return key % num_slots;
}

/// Throws unless the units' slots contain each key once, with its value.
void check_slots(const World& world, const Slot* slots) {
  long used = 0;
  for (std::size_t i = 0; i < num_slots; ++i) {
    if (slots[i].key == 0) continue;
    ++used;
    if (slots[i].value != value_of(slots[i].key) ||
        owner_of(slots[i].key, world.units()) != world.unit())
      throw std::runtime_error("an inserted value is wrong");
  }
  long total = 0;
  MPI_Allreduce(&used, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (total != static_cast<long>(num_inserts) * world.units())
    throw std::runtime_error("inserts have been lost");
}

/// The part of a unit.
struct Part {
  std::vector<Slot> slots = std::vector<Slot>(num_slots);
  std::mutex mutex;

  /// \returns whether the key is new
  bool insert(std::uint64_t key, std::uint64_t value) {
    for (std::size_t i = slot_of(key);; i = (i + 1) % num_slots) {
      if (slots[i].key == key) return false;
      if (slots[i].key == 0) {
        slots[i] = {key, value};
        return true;
      }
    }
  }
};
using Parts = dash::DistObject<Part>;

/// rpc runs functions as tasks, possibly several at the same time; am and Aggregator run one at a time.
bool insert_in_task(Parts& table, std::uint64_t key, std::uint64_t value) {
  const std::lock_guard lock(table->mutex);
  return table->insert(key, value);
}
bool insert_in_handler(Parts& table, std::uint64_t key, std::uint64_t value) {
  return table->insert(key, value);
}

/// Inserts all keys of the unit by `start`, which returns a future; waits for a window of them.
template <class Start>
void insert_by_futures(const World& world, const Start& start) {
  std::array<dash::Future<bool>, window> in_flight;
  for (std::uint64_t i = 0; i < num_inserts; ++i) {
    dash::Future<bool>& future = in_flight[i % window];
    if (future.valid() && !future.get()) throw std::runtime_error("a key existed before");
    const std::uint64_t key = key_of(world.unit(), i);
    future = start(owner_of(key, world.units()), key);
  }
  for (dash::Future<bool>& future : in_flight) {
    if (!future.get()) throw std::runtime_error("a key existed before");
  }
  dash::quiesce();
}

/// The table in an MPI window.
class OneSided {
 public:
  explicit OneSided(const World& world) : _world(world), _window(num_slots * sizeof(Slot)) {
    int found = 0;
    MPI_Win_get_attr(_window.get(), MPI_WIN_BASE, &_slots, &found);
  }

  /// The slots of this unit.
  Slot* slots() const noexcept { return _slots; }

  void insert_all() {
    _pending.clear();
    for (std::uint64_t i = 0; i < num_inserts || !_pending.empty();) {
      for (; i < num_inserts && _pending.size() < window; ++i) {
        const std::uint64_t key = key_of(_world.unit(), i);
        _pending.push_back({key, value_of(key), 0, slot_of(key), owner_of(key, _world.units())});
      }
      insert_pending();
    }
    MPI_Win_flush_all(_window.get());
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  struct Insert {
    std::uint64_t key;
    std::uint64_t value;
    std::uint64_t found;
    std::size_t slot;
    int unit;
  };

  /// Attempts the pending inserts. Those whose slot is used remain pending, with the next slot.
  void insert_pending() {
    for (Insert& insert : _pending) {
      MPI_Compare_and_swap(&insert.key, &free_slot, &insert.found, MPI_UINT64_T, insert.unit,
                           static_cast<MPI_Aint>(insert.slot * sizeof(Slot)), _window.get());
    }
    MPI_Win_flush_all(_window.get());  // completes the puts of the previous attempt, too
    _stored.clear();
    std::size_t left = 0;
    for (Insert& insert : _pending) {
      if (insert.found == insert.key) throw std::runtime_error("a key existed before");
      if (insert.found != 0) {
        insert.slot = (insert.slot + 1) % num_slots;
        _pending[left++] = insert;
      } else {
        _stored.push_back(insert);
      }
    }
    _pending.resize(left);
    for (const Insert& insert : _stored) {
      MPI_Put(&insert.value, 1, MPI_UINT64_T, insert.unit,
              static_cast<MPI_Aint>(insert.slot * sizeof(Slot) + sizeof insert.key), 1,
              MPI_UINT64_T, _window.get());
    }
  }

  const World& _world;
  const std::uint64_t free_slot = 0;
  std::vector<Insert> _pending;
  std::vector<Insert> _stored;  // the sources of puts in flight
  MpiWindow _window;
  Slot* _slots = nullptr;
};

/// The time of one insert, where each unit inserts its keys; the table is checked and emptied afterwards.
/// \param insert_all  ends when the inserts of all units have ended
double measure_inserts(const World& world, Slot* slots, const std::function<void()>& insert_all) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double ns = measure_ns_per_call(1, [&](long) { insert_all(); });
  check_slots(world, slots);
  std::fill(slots, slots + num_slots, Slot{});
  return ns / static_cast<double>(num_inserts);
}

/// All inserts in messages.
class BulkInserts {
 public:
  explicit BulkInserts(const World& world) : _world(world), _exchange(world, num_inserts) {}

  Slot* slots() noexcept { return _part.slots.data(); }

  void insert_all() {
    _exchange.clear();
    for (std::uint64_t i = 0; i < num_inserts; ++i) {
      const std::uint64_t key = key_of(_world.unit(), i);
      _exchange.to(static_cast<std::size_t>(owner_of(key, _world.units())))
          .push_back({key, value_of(key)});
    }
    _exchange.exchange([&](std::size_t unit) {
      for (const Slot& slot : _exchange.from(unit))
        _part.insert(slot.key, slot.value);
    });
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  const World& _world;
  Part _part;
  BulkExchange<Slot> _exchange;
};

/// \tparam Baseline  inserts all keys of the unit into its own table
template <class Baseline>
void compare_inserts(const World& world, Table& table, const char* name, const char* baseline_name,
                     const std::function<void(Parts&)>& insert_all) {
  Parts parts;
  Baseline baseline(world);
  const Outcome outcome = compare(
      [&] { return measure_inserts(world, parts->slots.data(), [&] { insert_all(parts); }); },
      [&] { return measure_inserts(world, baseline.slots(), [&] { baseline.insert_all(); }); });
  dash::barrier();
  if (!world.is_first_unit()) return;
  table.add(make_row(name, fmt::format("{} a unit", num_inserts), baseline_name, outcome,
                     ratio_at_most(1.0)));
}

/// Inserts all keys of the unit in batches.
void insert_in_batches(const World& world, Parts& parts) {
  dash::Aggregator<void(std::uint64_t, std::uint64_t)> insert(
      [](Parts& own, std::uint64_t key, std::uint64_t value) { own->insert(key, value); }, parts);
  for (std::uint64_t i = 0; i < num_inserts; ++i) {
    const std::uint64_t key = key_of(world.unit(), i);
    insert(owner_of(key, world.units()), key, value_of(key));
  }
  dash::quiesce();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    constexpr const char* one_sided = "MPI_Compare_and_swap, MPI_Put";
    compare_inserts<OneSided>(world, table, "insert by rpc", one_sided, [&](Parts& parts) {
      insert_by_futures(world, [&](int unit, std::uint64_t key) {
        return dash::rpc(unit, insert_in_task, parts, key, value_of(key));
      });
    });
    compare_inserts<OneSided>(world, table, "insert by am", one_sided, [&](Parts& parts) {
      insert_by_futures(world, [&](int unit, std::uint64_t key) {
        return dash::am(unit, insert_in_handler, parts, key, value_of(key));
      });
    });
    compare_inserts<BulkInserts>(world, table, "insert by Aggregator",
                                 "sorted by unit, MPI_Isend, MPI_Irecv",
                                 [&](Parts& parts) { insert_in_batches(world, parts); });
    if (world.is_first_unit()) table.print();
  });
}
