#include "dash/algorithm/internal/CountSum.h"

#include <cstdint>
#include <type_traits>

#include "dash/Exception.h"
#include "dash/internal/Collective.h"

namespace dash::internal {

std::vector<std::size_t> sum_counts(Call& call, std::size_t size,
                                    exec::FunctionRef<void(std::vector<std::size_t>&)> count) {
  std::vector<std::size_t> counts;
  counts.reserve(size + 1);
  counts.resize(size);
  const auto error = error_of([&] { count(counts); });
  if (call.size() == 0) {
    if (error) DASH_THROW(dash::exception::RuntimeError, call.name() << ": " << *error);
    return counts;
  }
  // Behind the counts, the number of units that have failed.
  counts.resize(size);
  counts.push_back(error ? 1 : 0);
  static_assert(std::is_same_v<std::size_t, std::uint64_t>);
  std::vector<std::size_t> sums(counts.size());
  sum_on_all(counts.data(), sums.data(), counts.size(), call.team());
  if (sums.back() > 0) agree(call.team(), call.name(), error ? error->c_str() : nullptr);
  sums.pop_back();
  return sums;
}

}  // namespace dash::internal
