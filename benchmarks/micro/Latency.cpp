// dash-bench: units=2 layouts=node quick=node
//
// One element of a unit of the same node: through a GlobRef against the bare access through the
// mapped memory, and by the C interface against MPI.

#include <dash/GlobRef.h>

#include <stdexcept>

#include "support/Contest.h"
#include "support/Table.h"
#include "support/Way.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
/// The accesses walk this many words, 32 KiB, again and again.
constexpr long words = 4096;

dart_gptr_t word_at(dart_gptr_t begin, long i) {
  begin.addr_or_offs.offset = static_cast<std::uint64_t>(i % words) * sizeof(long);
  return begin;
}

void compare(const char* what, const Way& ours, const Way& twin, const Bar& bar, Table& table) {
  table.add(row_of(what, "8 B", twin.name, contest(contestant(ours), contestant(twin)), bar));
}

void measure_references(dart_gptr_t begin, char* mapped, Table& table) {
  // `volatile` keeps each of the bare accesses, and in order.
  auto* const memory = reinterpret_cast<volatile long*>(mapped);
  compare("put by GlobRef",
          {"", Peers::asleep, [=](long i) { dash::GlobRef<long>(word_at(begin, i)) = i; }},
          {"bare store", Peers::asleep, [=](long i) { memory[i % words] = i; }}, ns_more_at_most(5),
          table);
  compare("get by GlobRef",
          {"", Peers::asleep,
           [=](long i) {
             const long value = dash::GlobRef<long>(word_at(begin, i));
             keep(value);
           }},
          {"bare load", Peers::asleep, [=](long i) { keep(memory[i % words]); }},
          ns_more_at_most(5), table);
}

void measure_against_mpi(dart_gptr_t begin, MPI_Win window, Table& table) {
  const auto offset = [](long i) { return static_cast<MPI_Aint>(i % words * 8); };
  compare("blocking put",
          {"", Peers::asleep,
           [=](long i) {
             dart_put_blocking(word_at(begin, i), &i, 1, DART_TYPE_LONG, DART_TYPE_LONG);
           }},
          {"MPI_Put, flush", Peers::in_mpi,
           [=](long i) {
             MPI_Put(&i, 1, MPI_LONG, target, offset(i), 1, MPI_LONG, window);
             MPI_Win_flush(target, window);
           }},
          {}, table);
  compare("blocking get",
          {"", Peers::asleep,
           [=](long i) {
             long value;
             dart_get_blocking(&value, word_at(begin, i), 1, DART_TYPE_LONG, DART_TYPE_LONG);
             keep(value);
           }},
          {"MPI_Get, flush", Peers::in_mpi,
           [=](long i) {
             long value;
             MPI_Get(&value, 1, MPI_LONG, target, offset(i), 1, MPI_LONG, window);
             MPI_Win_flush(target, window);
             keep(value);
           }},
          {}, table);
}

void measure(const World& world) {
  if (world.units() < 2 || !world.on_one_node()) {
    throw std::runtime_error("needs two units on one node");
  }
  constexpr std::size_t nbytes = words * sizeof(long);
  const GlobalMemory memory(nbytes);
  const MpiWindow window(nbytes);
  Table table;
  measure_references(memory.at(target), memory.address(target), table);
  measure_against_mpi(memory.at(target), window.get(), table);
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
