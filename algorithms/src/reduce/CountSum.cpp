#include "dash/algorithm/internal/reduce/CountSum.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "dash/Exception.h"
#include "dash/internal/work/Collective.h"

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
  // What is exchanged: the counts, and behind them the number of units that have failed. For few bins
  // no unit can fail to get the memory, so that nobody has to be told of it.
  constexpr std::size_t few = 256;
  const std::size_t width = size + 1;
  std::array<std::uint64_t, 2 * few> on_stack;
  std::vector<std::uint64_t> many;
  if (width > few) call.prepare([&] { many.resize(2 * width); });
  std::uint64_t* const own = width > few ? many.data() : on_stack.data();
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
