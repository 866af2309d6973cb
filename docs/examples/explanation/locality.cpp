// Memory of other units of the node in place, and copies of the rest: docs/explanation/locality.md.
// dash-example: units=1,2,4 layouts=node,nolocal
#include <libdash.h>

#include <numeric>
#include <vector>

namespace {

long sum(const long* first, const long* last) {
  return std::accumulate(first, last, 0L);
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool right = true;
  {
    constexpr long n = 1000;
    dash::Array<long> array(n * dash::size());
    std::iota(array.lbegin(), array.lend(), n * dash::myid());
    array.barrier();

    // --8<-- [start:on-node]
    long total = 0;
    std::vector<std::vector<long>> buffers;
    std::vector<dash::Future<long>> sums;
    for (const int unit : array.team()) {
      const auto part = array.on_node(dash::team_unit_t(unit));
      if (part.data() != nullptr) {  // in place, without a copy
        total += sum(part.data(), part.data() + part.size());
      } else {
        long* const buffer = buffers.emplace_back(n).data();
        const auto first = array.begin() + n * unit;
        auto copied = dash::copy_async(first, first + n, buffer);
        sums.push_back(copied.then([=](long* end) { return sum(buffer, end); }));
      }
    }
    for (dash::Future<long>& remote : sums)
      total += remote.get();
    // --8<-- [end:on-node]

    const auto size = static_cast<long>(array.size());
    right = total == size * (size - 1) / 2;
    array.barrier();
  }
  dash::finalize();
  return right ? 0 : 1;
}
