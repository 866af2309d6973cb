#include "dash/algorithm/internal/CountSum.h"

#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/algorithm/Operation.h"
#include "dash/internal/Collective.h"

namespace dash::internal {

std::vector<std::size_t> sum_counts(Call& call, std::size_t size,
                                    exec::FunctionRef<void(std::vector<std::size_t>&)> count) {
  std::vector<std::size_t> counts(size, 0);
  const auto error = error_of([&] { count(counts); });
  if (call.size() == 0) {
    if (error) DASH_THROW(dash::exception::RuntimeError, call.name() << ": " << *error);
    return counts;
  }
  // Behind the counts, the number of units that have failed.
  counts.resize(size);
  counts.push_back(error ? 1 : 0);
  allreduce_async(counts.data(), counts.data(), counts.size(), dash::plus<std::size_t>(),
                  call.team())
      .get();
  if (counts.back() > 0) agree(call.team(), call.name(), error ? error->c_str() : nullptr);
  counts.pop_back();
  return counts;
}

}  // namespace dash::internal
