// NPB DT with DASH: see Dataflow.h.

#include "Dataflow.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  using namespace npb_dt;
  return kernels::dash_main(argc, argv,
                            benchmark("npb_dt",
                                      [](const Problem& problem, const Placement& placement,
                                         const std::string&) -> std::unique_ptr<Processing> {
                                        return std::make_unique<Dataflow>(problem, placement);
                                      }));
}
