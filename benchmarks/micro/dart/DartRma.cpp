// dash-bench: units=2 layouts=node,nolocal,tcp quick=node,nolocal,tcp
//
// One-sided operations of the C interface against their twins. On one node: the bare access through
// the mapped memory, memcpy, the processor's atomics. Between nodes: raw MPI, whose target is in
// MPI_Barrier, while ours is in the library's barrier.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/Way.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t largest = std::size_t{16} << 20;
/// Words that accesses of 8 bytes walk, 32 KiB.
constexpr long words = 4096;
/// Operations started at a time, before they are completed.
constexpr long started = 32;

std::vector<char>& own() {
  static std::vector<char> memory(largest, 1);
  return memory;
}

dart_gptr_t word_at(dart_gptr_t begin, long i) {
  begin.addr_or_offs.offset = static_cast<std::uint64_t>(i % words) * sizeof(long);
  return begin;
}

void put(dart_gptr_t to, const void* from, std::size_t nbytes) {
  dart_put_blocking(to, from, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
}
void get(void* to, dart_gptr_t from, std::size_t nbytes) {
  dart_get_blocking(to, from, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
}

Way our_put(dart_gptr_t begin, std::size_t nbytes) {
  if (nbytes == sizeof(long)) {
    return {"", Peers::asleep, [=](long i) { put(word_at(begin, i), &i, sizeof i); }};
  }
  return {"", Peers::asleep, [=](long) { put(begin, own().data(), nbytes); }};
}
Way our_get(dart_gptr_t begin, std::size_t nbytes) {
  if (nbytes == sizeof(long)) {
    return {"", Peers::asleep, [=](long i) {
              long value;
              get(&value, word_at(begin, i), sizeof value);
              keep(value);
            }};
  }
  return {"", Peers::asleep, [=](long) {
            get(own().data(), begin, nbytes);
            keep_memory(own().data());
          }};
}
Way our_fetch(dart_gptr_t begin) {
  return {"", Peers::asleep, [=](long i) {
            const long one = 1;
            long old;
            const dart_gptr_t word = word_at(begin, i);
            dart_fetch_and_op(word, &one, &old, DART_TYPE_LONG, DART_OP_SUM);
            dart_flush(word);
            keep(old);
          }};
}

void compare(const std::string& what, const std::string& size, const Way& ours,
             const std::vector<Way>& twins, const Bar& bar, Table& table) {
  const Way& twin = fastest(twins);
  table.add(row_of(what, size, twin.name, contest(contestant(ours), contestant(twin)), bar));
}

// --- one node -----------------------------------------------------------------------------------

void measure_words_on_node(dart_gptr_t begin, char* mapped, Table& table) {
  auto* const memory = reinterpret_cast<volatile long*>(mapped);
  const Bar bar = ns_more_at_most(5);
  compare("blocking put", "8 B", our_put(begin, 8),
          {{"bare store", Peers::asleep, [=](long i) { memory[i % words] = i; }}}, bar, table);
  compare("blocking get", "8 B", our_get(begin, 8),
          {{"bare load", Peers::asleep, [=](long i) { keep(memory[i % words]); }}}, bar, table);
  const auto word = [=](long i) {
    return std::atomic_ref<long>(reinterpret_cast<long*>(mapped)[i % words]);
  };
  compare("fetch_and_op", "8 B",
          {"", Peers::asleep,
           [=](long i) {
             const long one = 1;
             long old;
             dart_fetch_and_op(word_at(begin, i), &one, &old, DART_TYPE_LONG, DART_OP_SUM);
             keep(old);
           }},
          {{"processor", Peers::asleep, [=](long i) { keep(word(i).fetch_add(1)); }}}, bar, table);
  compare("compare_and_swap", "8 B",
          {"", Peers::asleep,
           [=](long i) {
             long old;
             dart_compare_and_swap(word_at(begin, i), &i, &i, &old, DART_TYPE_LONG);
             keep(old);
           }},
          {{"processor", Peers::asleep,
            [=](long i) {
              long expected = i;
              word(i).compare_exchange_strong(expected, i);
              keep(expected);
            }}},
          bar, table);
}

void measure_bandwidth_on_node(dart_gptr_t begin, char* mapped, Table& table) {
  for (std::size_t nbytes = std::size_t{64} << 10; nbytes <= largest; nbytes *= 4) {
    const Bar bar = speed_at_least(0.98);
    compare("blocking put", size_of(nbytes), our_put(begin, nbytes),
            {{"memcpy", Peers::asleep,
              [=](long) {
                std::memcpy(mapped, own().data(), nbytes);
                keep_memory(mapped);
              }}},
            bar, table);
    compare("blocking get", size_of(nbytes), our_get(begin, nbytes),
            {{"memcpy", Peers::asleep,
              [=](long) {
                std::memcpy(own().data(), mapped, nbytes);
                keep_memory(own().data());
              }}},
            bar, table);
  }
}

// --- between nodes ------------------------------------------------------------------------------

MPI_Aint displacement(long i, std::size_t nbytes) {
  return nbytes == sizeof(long) ? (i % words) * static_cast<MPI_Aint>(sizeof(long)) : 0;
}

Way mpi_put_flush(MPI_Win window, std::size_t nbytes) {
  const int n = static_cast<int>(nbytes);
  return {"MPI_Put, flush", Peers::in_mpi, [=](long i) {
            MPI_Put(own().data(), n, MPI_BYTE, target, displacement(i, nbytes), n, MPI_BYTE,
                    window);
            MPI_Win_flush(target, window);
          }};
}
Way mpi_get_flush(MPI_Win window, std::size_t nbytes) {
  const int n = static_cast<int>(nbytes);
  return {"MPI_Get, flush", Peers::in_mpi, [=](long i) {
            MPI_Get(own().data(), n, MPI_BYTE, target, displacement(i, nbytes), n, MPI_BYTE,
                    window);
            MPI_Win_flush(target, window);
          }};
}
Way mpi_rget_wait(MPI_Win window, std::size_t nbytes) {
  const int n = static_cast<int>(nbytes);
  return {"MPI_Rget, wait", Peers::in_mpi, [=](long i) {
            MPI_Request request;
            MPI_Rget(own().data(), n, MPI_BYTE, target, displacement(i, nbytes), n, MPI_BYTE,
                     window, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
          }};
}

void measure_transfers(bool over_tcp, dart_gptr_t begin, MPI_Win window, Table& table) {
  for (const std::size_t nbytes :
       {8UL, 64UL, 512UL, 4096UL, 32UL << 10, 256UL << 10, 1UL << 20, 4UL << 20}) {
    const Bar put_bar = ratio_at_most(over_tcp ? 0.7 : 1.05);
    compare("blocking put", size_of(nbytes), our_put(begin, nbytes),
            {mpi_put_flush(window, nbytes)}, put_bar, table);
    compare("blocking get", size_of(nbytes), our_get(begin, nbytes),
            {mpi_get_flush(window, nbytes), mpi_rget_wait(window, nbytes)}, ratio_at_most(1.05),
            table);
  }
}

void measure_atomics(dart_gptr_t begin, MPI_Win window, Table& table) {
  compare("fetch_and_op, flush", "8 B", our_fetch(begin),
          {{"MPI_Fetch_and_op, flush", Peers::in_mpi,
            [=](long i) {
              const long one = 1;
              long old;
              MPI_Fetch_and_op(&one, &old, MPI_LONG, target, displacement(i, 8), MPI_SUM, window);
              MPI_Win_flush(target, window);
              keep(old);
            }}},
          ratio_at_most(1.0), table);
  compare("compare_and_swap, flush", "8 B",
          {"", Peers::asleep,
           [=](long i) {
             long old;
             const dart_gptr_t word = word_at(begin, i);
             dart_compare_and_swap(word, &i, &i, &old, DART_TYPE_LONG);
             dart_flush(word);
             keep(old);
           }},
          {{"MPI_Compare_and_swap, flush", Peers::in_mpi,
            [=](long i) {
              long old;
              MPI_Compare_and_swap(&i, &i, &old, MPI_LONG, target, displacement(i, 8), window);
              MPI_Win_flush(target, window);
              keep(old);
            }}},
          ratio_at_most(1.0), table);
}

void measure_starts(dart_gptr_t begin, MPI_Win window, Table& table) {
  static std::vector<long> values(words);
  static std::vector<MPI_Request> requests(started);
  static std::vector<dart_handle_t> handles(started);
  const auto complete_mpi = [=] {
    MPI_Waitall(static_cast<int>(started), requests.data(), MPI_STATUSES_IGNORE);
    MPI_Win_flush(target, window);
  };
  const auto complete_ours = [=] { dart_flush_all(begin); };
  const auto complete_handles = [=] { dart_waitall(handles.data(), started); };
  const Way raw_put{"MPI_Rput", Peers::in_mpi,
                    [=](long i) {
                      MPI_Rput(&values[static_cast<std::size_t>(i % words)], 8, MPI_BYTE, target,
                               displacement(i, 8), 8, MPI_BYTE, window,
                               &requests[static_cast<std::size_t>(i % started)]);
                    },
                    started, complete_mpi};
  const Way raw_get{"MPI_Rget", Peers::in_mpi,
                    [=](long i) {
                      MPI_Rget(&values[static_cast<std::size_t>(i % words)], 8, MPI_BYTE, target,
                               displacement(i, 8), 8, MPI_BYTE, window,
                               &requests[static_cast<std::size_t>(i % started)]);
                    },
                    started, complete_mpi};
  const auto put_one = [=](long i) {
    dart_put(word_at(begin, i), &values[static_cast<std::size_t>(i % words)], 1, DART_TYPE_LONG,
             DART_TYPE_LONG);
  };
  const auto get_one = [=](long i) {
    dart_get(&values[static_cast<std::size_t>(i % words)], word_at(begin, i), 1, DART_TYPE_LONG,
             DART_TYPE_LONG);
  };
  const auto put_handle = [=](long i) {
    dart_put_handle(word_at(begin, i), &values[static_cast<std::size_t>(i % words)], 1,
                    DART_TYPE_LONG, DART_TYPE_LONG,
                    &handles[static_cast<std::size_t>(i % started)]);
  };
  const Bar bar = ns_more_at_most(50);
  compare("start of a put", "8 B", {"", Peers::asleep, put_one, started, complete_ours}, {raw_put},
          bar, table);
  compare("start of a put with a handle", "8 B",
          {"", Peers::asleep, put_handle, started, complete_handles}, {raw_put}, bar, table);
  compare("start of a get", "8 B", {"", Peers::asleep, get_one, started, complete_ours}, {raw_get},
          bar, table);
}

void measure(const World& world) {
  if (world.units() < 2) throw std::runtime_error("needs two units");
  const GlobalMemory memory(largest);
  const dart_gptr_t begin = memory.at(target);
  Table table;
  if (world.on_one_node()) {
    char* const mapped = memory.address(target);
    measure_words_on_node(begin, mapped, table);
    measure_bandwidth_on_node(begin, mapped, table);
  } else {
    const char* const transports = std::getenv("UCX_TLS");
    const bool over_tcp = transports != nullptr && std::strstr(transports, "tcp") != nullptr;
    const MpiWindow window(largest);
    measure_transfers(over_tcp, begin, window.get(), table);
    measure_atomics(begin, window.get(), table);
    measure_starts(begin, window.get(), table);
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
