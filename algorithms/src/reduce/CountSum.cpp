#include "dash/algorithm/internal/reduce/CountSum.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "dash/Exception.h"
#include "dash/internal/team/Collective.h"

namespace dash::internal {

std::vector<std::size_t> sum_counts(Call& call, std::size_t size,
                                    exec::FunctionRef<void(std::vector<std::size_t>&)> count) {
  std::vector<std::size_t> counts;
  const auto error = error_of([&] {
    counts.resize(size);
    count(counts);
  });
  if (call.size() == 0) {
    if (error) DASH_THROW(dash::exception::RuntimeError, call.name() << ": " << *error);
    return counts;
  }
  // The units exchange the counts, followed by the number of units that have failed. Few counts are
  // on the stack, so that no allocation can fail and no exchange about it is needed.
  constexpr std::size_t max_on_stack = 256;
  const std::size_t width = size + 1;
  std::array<std::uint64_t, 2 * max_on_stack> on_stack;
  std::vector<std::uint64_t> heap;
  if (width > max_on_stack) call.prepare([&] { heap.resize(2 * width); });
  std::uint64_t* const own = width > max_on_stack ? heap.data() : on_stack.data();
  std::uint64_t* const all = own + width;
  if (error) {
    std::fill_n(own, size, 0);
  } else {
    std::copy_n(counts.begin(), size, own);
  }
  own[size] = error ? 1 : 0;
  sum_on_all(own, all, width, call.team());
  if (all[size] > 0) agree(call.team(), call.name(), error ? error->c_str() : nullptr);
  std::copy_n(all, size, counts.begin());
  return counts;
}

}  // namespace dash::internal
