// The baseline of npb_dt with MPI only: the same computation with a different exchange.

#include "Baseline.h"
#include "support/MpiProgram.h"

namespace npb_dt {

namespace {

std::unique_ptr<Exchange> make_exchange(const Problem& problem, const Placement& placement,
                                        const std::string& via) {
  if (via == "rma") return make_rma_exchange(problem, placement);
  if (via == "shared") return make_shared_exchange(problem, placement);
  return make_two_sided_exchange(problem, placement);
}

}  // namespace

}  // namespace npb_dt

int main(int argc, char** argv) {
  using namespace npb_dt;
  return kernels::mpi_main(argc, argv,
                           benchmark("npb_dt_mpi",
                                     [](const Problem& problem, const Placement& placement,
                                        const std::string& via) -> std::unique_ptr<Processing> {
                                       return std::make_unique<BaselineProcessing>(
                                           problem, placement,
                                           make_exchange(problem, placement, via));
                                     }));
}
