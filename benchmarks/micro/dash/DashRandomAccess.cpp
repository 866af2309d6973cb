// dash-bench: units=2 layouts=node
//
// RandomAccess of HPC Challenge on an array: all units update random elements, by reading and writing and
// by atomic operations, compared with plain loads and stores, or atomics, through the mapped memory. The
// table is updated by T[x mod N] ^= x along the stream x.

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Atomic.h"
#include "dash/Init.h"
#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Word = std::uint64_t;
/// The number of updates in a sample, for each unit.
constexpr long updates = 1L << 18;

/// The next element of the stream: x^k modulo the polynomial x^63 + x^2 + x + 1 over GF(2).
Word next(Word x) {
  return (x << 1) ^ ((x >> 63) != 0 ? 7U : 0U);
}

/// Makes a candidate that measures nanoseconds of an update while both units update.
/// \collective over all units
template <class Update>
Candidate all_update(int unit, const Update& update) {
  return [=] {
    Word x = 0x9e3779b97f4a7c15U * static_cast<Word>(2 * unit + 1);
    dash::barrier();
    const double each = measure_ns_per_call(updates, [&](long) {
      x = next(x);
      update(x);
    });
    dash::barrier();
    return each;
  };
}

/// The addresses of all parts of an array in this process.
struct Parts {
  std::vector<Word*> begins;
  unsigned shift = 0;
  Word mask = 0;

  template <class Array>
  explicit Parts(Array& array) {
    const auto part = array.size() / array.team().size();
    while ((std::size_t{1} << shift) < part)
      ++shift;
    mask = part - 1;
    for (std::size_t unit = 0; unit < array.team().size(); ++unit) {
      const auto gptr = (array.begin() + static_cast<std::ptrdiff_t>(unit * part)).dart_gptr();
      begins.push_back(static_cast<Word*>(dash::dart::on_node_address(gptr, sizeof(Word))));
    }
  }
};

void add_comparison(const std::string& name, std::size_t nbytes, const Candidate& ours,
                    const std::string& baseline_name, const Candidate& baseline, Table& table) {
  table.add(make_row(name, format_size(nbytes), baseline_name, compare(ours, baseline),
                     ratio_at_most(2)));
}

void measure_table(std::size_t size, const World& world, Table& table) {
  const std::size_t nbytes = size * sizeof(Word);
  const Word mask = size - 1;
  {
    dash::Array<Word> array(size);
    const Parts parts(array);
    add_comparison(
        "a[i] ^= x, both units", nbytes,
        all_update(world.unit(),
                   [&](Word x) { array[static_cast<dash::default_index_t>(x & mask)] ^= x; }),
        "loads and stores",
        all_update(world.unit(),
                   [&](Word x) {
                     const Word index = x & mask;
                     parts.begins[index >> parts.shift][index & parts.mask] ^= x;
                   }),
        table);
  }
  dash::Array<dash::Atomic<Word>> array(size);
  const Parts parts(array);
  add_comparison(
      "atomic a[i] ^= x, both units", nbytes,
      all_update(world.unit(),
                 [&](Word x) {
                   array[static_cast<dash::default_index_t>(x & mask)].op(dash::bit_xor<Word>(), x);
                 }),
      "processor atomics",
      all_update(world.unit(),
                 [&](Word x) {
                   const Word index = x & mask;
                   std::atomic_ref<Word>(parts.begins[index >> parts.shift][index & parts.mask])
                       .fetch_xor(x);
                 }),
      table);
}

void measure(const World& world) {
  if (!world.on_one_node()) throw std::runtime_error("this benchmark needs all units on one node");
  Table table;
  for (const std::size_t size : {std::size_t{1} << 12, std::size_t{1} << 18, std::size_t{1} << 23})
    measure_table(size, world, table);
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
