// dash-bench: units=2 layouts=node,nolocal,tcp quick=node,nolocal,tcp
//
// One-sided operations of the C interface, compared with baselines. On one node: plain accesses through the
// mapped memory, memcpy, and atomics of the processor. Between nodes: MPI, with the target in MPI_Barrier,
// while the target of our operations is in the library's barrier.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/TimedOperation.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t largest = std::size_t{64} << 20;
/// The words that accesses of 8 bytes iterate over: 32 KiB.
constexpr long words = 4096;
/// The number of operations that are started before they are completed.
constexpr long batch_size = 32;

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

TimedOperation our_put(dart_gptr_t begin, std::size_t nbytes) {
  if (nbytes == sizeof(long)) {
    return {"", PeerWait::dart_barrier, [=](long i) { put(word_at(begin, i), &i, sizeof i); }};
  }
  return {"", PeerWait::dart_barrier, [=](long) { put(begin, own().data(), nbytes); }};
}
TimedOperation our_get(dart_gptr_t begin, std::size_t nbytes) {
  if (nbytes == sizeof(long)) {
    return {"", PeerWait::dart_barrier, [=](long i) {
              long value;
              get(&value, word_at(begin, i), sizeof value);
              do_not_optimize(value);
            }};
  }
  return {"", PeerWait::dart_barrier, [=](long) {
            get(own().data(), begin, nbytes);
            clobber_memory(own().data());
          }};
}
TimedOperation our_fetch(dart_gptr_t begin) {
  return {"", PeerWait::dart_barrier, [=](long i) {
            const long one = 1;
            long old;
            const dart_gptr_t word = word_at(begin, i);
            dart_fetch_and_op(word, &one, &old, DART_TYPE_LONG, DART_OP_SUM);
            dart_flush(word);
            do_not_optimize(old);
          }};
}

TimedOperation our_put_with_handle(dart_gptr_t begin) {
  return {"", PeerWait::dart_barrier, [=](long i) {
            dart_handle_t handle = DART_HANDLE_NULL;
            dart_put_handle(word_at(begin, i), &i, 1, DART_TYPE_LONG, DART_TYPE_LONG, &handle);
            dart_wait(&handle);
          }};
}
TimedOperation our_get_with_handle(dart_gptr_t begin) {
  return {"", PeerWait::dart_barrier, [=](long i) {
            long value = 0;
            dart_handle_t handle = DART_HANDLE_NULL;
            dart_get_handle(&value, word_at(begin, i), 1, DART_TYPE_LONG, DART_TYPE_LONG, &handle);
            dart_wait(&handle);
            do_not_optimize(value);
          }};
}

void add_comparison(const std::string& name, const std::string& size, const TimedOperation& ours,
                    const std::vector<TimedOperation>& baselines, const Goal& goal, Table& table) {
  const TimedOperation& baseline = find_fastest(baselines);
  table.add(make_row(name, size, baseline.name,
                     compare(make_candidate(ours), make_candidate(baseline)), goal));
}

// --- one node -----------------------------------------------------------------------------------

void measure_words_on_node(dart_gptr_t begin, char* mapped, Table& table) {
  auto* const memory = reinterpret_cast<volatile long*>(mapped);
  const Goal goal = overhead_at_most_ns(5);
  const TimedOperation store{"plain store", PeerWait::dart_barrier,
                             [=](long i) { memory[i % words] = i; }};
  const TimedOperation load{"plain load", PeerWait::dart_barrier,
                            [=](long i) { do_not_optimize(memory[i % words]); }};
  add_comparison("blocking put", "8 B", our_put(begin, 8), {store}, goal, table);
  add_comparison("blocking get", "8 B", our_get(begin, 8), {load}, goal, table);
  add_comparison("put with a handle, wait", "8 B", our_put_with_handle(begin), {store},
                 time_at_most_us(0.012), table);
  add_comparison("get with a handle, wait", "8 B", our_get_with_handle(begin), {load},
                 time_at_most_us(0.012), table);
  const auto word = [=](long i) {
    return std::atomic_ref<long>(reinterpret_cast<long*>(mapped)[i % words]);
  };
  const TimedOperation fetch_add{"processor atomic", PeerWait::dart_barrier,
                                 [=](long i) { do_not_optimize(word(i).fetch_add(1)); }};
  add_comparison("fetch_and_op", "8 B",
                 {"", PeerWait::dart_barrier,
                  [=](long i) {
                    const long one = 1;
                    long old;
                    dart_fetch_and_op(word_at(begin, i), &one, &old, DART_TYPE_LONG, DART_OP_SUM);
                    do_not_optimize(old);
                  }},
                 {fetch_add}, goal, table);
  add_comparison("fetch_and_op, flush", "8 B", our_fetch(begin), {fetch_add},
                 time_at_most_us(0.015), table);
  add_comparison("compare_and_swap", "8 B",
                 {"", PeerWait::dart_barrier,
                  [=](long i) {
                    long old;
                    dart_compare_and_swap(word_at(begin, i), &i, &i, &old, DART_TYPE_LONG);
                    do_not_optimize(old);
                  }},
                 {{"processor atomic", PeerWait::dart_barrier,
                   [=](long i) {
                     long expected = i;
                     word(i).compare_exchange_strong(expected, i);
                     do_not_optimize(expected);
                   }}},
                 goal, table);
}

/// \param shift  of the remote address from the boundary of a page, in bytes
void measure_bandwidth_on_node(dart_gptr_t begin, char* mapped, std::size_t nbytes,
                               std::size_t shift, Table& table) {
  begin.addr_or_offs.offset += shift;
  char* const remote = mapped + shift;
  const Goal goal = speed_at_least(0.98);
  const std::string suffix = shift == 0 ? "" : ", not aligned";
  add_comparison("blocking put" + suffix, format_size(nbytes),
                 {"", PeerWait::dart_barrier, [=](long) { put(begin, own().data(), nbytes); }},
                 {{"memcpy", PeerWait::dart_barrier,
                   [=](long) {
                     std::memcpy(remote, own().data(), nbytes);
                     clobber_memory(remote);
                   }}},
                 goal, table);
  add_comparison("blocking get" + suffix, format_size(nbytes),
                 {"", PeerWait::dart_barrier,
                  [=](long) {
                    get(own().data(), begin, nbytes);
                    clobber_memory(own().data());
                  }},
                 {{"memcpy", PeerWait::dart_barrier,
                   [=](long) {
                     std::memcpy(own().data(), remote, nbytes);
                     clobber_memory(own().data());
                   }}},
                 goal, table);
}

/// All powers of two, since a library may choose another way to copy at any of them, and sizes between.
void measure_bandwidth_on_node(dart_gptr_t begin, char* mapped, Table& table) {
  for (std::size_t nbytes = 64; nbytes <= largest; nbytes *= 2)
    measure_bandwidth_on_node(begin, mapped, nbytes, 0, table);
  for (std::size_t nbytes = 96; nbytes < largest; nbytes *= 8)
    measure_bandwidth_on_node(begin, mapped, nbytes, 5, table);
}

// --- between nodes ------------------------------------------------------------------------------

MPI_Aint displacement(long i, std::size_t nbytes) {
  return nbytes == sizeof(long) ? (i % words) * static_cast<MPI_Aint>(sizeof(long)) : 0;
}

TimedOperation mpi_put_flush(MPI_Win window, std::size_t nbytes) {
  const int n = static_cast<int>(nbytes);
  return {"MPI_Put, flush", PeerWait::mpi_barrier, [=](long i) {
            MPI_Put(own().data(), n, MPI_BYTE, target, displacement(i, nbytes), n, MPI_BYTE,
                    window);
            MPI_Win_flush(target, window);
          }};
}
TimedOperation mpi_get_flush(MPI_Win window, std::size_t nbytes) {
  const int n = static_cast<int>(nbytes);
  return {"MPI_Get, flush", PeerWait::mpi_barrier, [=](long i) {
            MPI_Get(own().data(), n, MPI_BYTE, target, displacement(i, nbytes), n, MPI_BYTE,
                    window);
            MPI_Win_flush(target, window);
          }};
}
TimedOperation mpi_rget_wait(MPI_Win window, std::size_t nbytes) {
  const int n = static_cast<int>(nbytes);
  return {"MPI_Rget, wait", PeerWait::mpi_barrier, [=](long i) {
            MPI_Request request;
            MPI_Rget(own().data(), n, MPI_BYTE, target, displacement(i, nbytes), n, MPI_BYTE,
                     window, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
          }};
}

TimedOperation mpi_rput_wait_flush(MPI_Win window) {
  return {"MPI_Rput, wait, flush", PeerWait::mpi_barrier, [=](long i) {
            MPI_Request request;
            MPI_Rput(&i, 8, MPI_BYTE, target, displacement(i, 8), 8, MPI_BYTE, window, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Win_flush(target, window);
          }};
}

void measure_transfers(bool over_tcp, dart_gptr_t begin, MPI_Win window, Table& table) {
  for (const std::size_t nbytes :
       {8UL, 64UL, 512UL, 4096UL, 32UL << 10, 256UL << 10, 1UL << 20, 4UL << 20}) {
    const Goal put_goal = ratio_at_most(over_tcp ? 0.7 : 1.02);
    add_comparison("blocking put", format_size(nbytes), our_put(begin, nbytes),
                   {mpi_put_flush(window, nbytes)}, put_goal, table);
    add_comparison("blocking get", format_size(nbytes), our_get(begin, nbytes),
                   {mpi_get_flush(window, nbytes), mpi_rget_wait(window, nbytes)},
                   ratio_at_most(1.02), table);
  }
  add_comparison("put with a handle, wait", "8 B", our_put_with_handle(begin),
                 {mpi_put_flush(window, 8), mpi_rput_wait_flush(window)}, ratio_at_most(1.1),
                 table);
  add_comparison("get with a handle, wait", "8 B", our_get_with_handle(begin),
                 {mpi_get_flush(window, 8), mpi_rget_wait(window, 8)}, ratio_at_most(1.1), table);
}

void measure_atomics(dart_gptr_t begin, MPI_Win window, Table& table) {
  add_comparison("fetch_and_op, flush", "8 B", our_fetch(begin),
                 {{"MPI_Fetch_and_op, flush", PeerWait::mpi_barrier,
                   [=](long i) {
                     const long one = 1;
                     long old;
                     MPI_Fetch_and_op(&one, &old, MPI_LONG, target, displacement(i, 8), MPI_SUM,
                                      window);
                     MPI_Win_flush(target, window);
                     do_not_optimize(old);
                   }}},
                 ratio_at_most(1.0), table);
  add_comparison("compare_and_swap, flush", "8 B",
                 {"", PeerWait::dart_barrier,
                  [=](long i) {
                    long old;
                    const dart_gptr_t word = word_at(begin, i);
                    dart_compare_and_swap(word, &i, &i, &old, DART_TYPE_LONG);
                    dart_flush(word);
                    do_not_optimize(old);
                  }},
                 {{"MPI_Compare_and_swap, flush", PeerWait::mpi_barrier,
                   [=](long i) {
                     long old;
                     MPI_Compare_and_swap(&i, &i, &old, MPI_LONG, target, displacement(i, 8),
                                          window);
                     MPI_Win_flush(target, window);
                     do_not_optimize(old);
                   }}},
                 ratio_at_most(1.0), table);
}

void measure_starts(dart_gptr_t begin, MPI_Win window, Table& table) {
  static std::vector<long> values(words);
  static std::vector<MPI_Request> requests(batch_size);
  static std::vector<dart_handle_t> handles(batch_size);
  const auto complete_mpi = [=] {
    MPI_Waitall(static_cast<int>(batch_size), requests.data(), MPI_STATUSES_IGNORE);
    MPI_Win_flush(target, window);
  };
  const auto complete_ours = [=] { dart_flush_all(begin); };
  const auto complete_handles = [=] { dart_waitall(handles.data(), batch_size); };
  const TimedOperation raw_put{"MPI_Rput", PeerWait::mpi_barrier,
                               [=](long i) {
                                 MPI_Rput(&values[static_cast<std::size_t>(i % words)], 8, MPI_BYTE,
                                          target, displacement(i, 8), 8, MPI_BYTE, window,
                                          &requests[static_cast<std::size_t>(i % batch_size)]);
                               },
                               batch_size, complete_mpi};
  const TimedOperation raw_get{"MPI_Rget", PeerWait::mpi_barrier,
                               [=](long i) {
                                 MPI_Rget(&values[static_cast<std::size_t>(i % words)], 8, MPI_BYTE,
                                          target, displacement(i, 8), 8, MPI_BYTE, window,
                                          &requests[static_cast<std::size_t>(i % batch_size)]);
                               },
                               batch_size, complete_mpi};
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
                    &handles[static_cast<std::size_t>(i % batch_size)]);
  };
  const Goal goal = overhead_at_most_ns(50);
  add_comparison("start of a put", "8 B",
                 {"", PeerWait::dart_barrier, put_one, batch_size, complete_ours}, {raw_put}, goal,
                 table);
  add_comparison("start of a put with a handle", "8 B",
                 {"", PeerWait::dart_barrier, put_handle, batch_size, complete_handles}, {raw_put},
                 goal, table);
  add_comparison("start of a get", "8 B",
                 {"", PeerWait::dart_barrier, get_one, batch_size, complete_ours}, {raw_get}, goal,
                 table);
}

void measure(const World& world) {
  if (world.units() < 2) throw std::runtime_error("this benchmark needs two units");
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
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
