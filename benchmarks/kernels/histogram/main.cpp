// A distributed histogram: see README.md for how to run it, DashExchange.cpp for what units exchange.

#include "DashExchange.h"
#include "Run.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  kernels::progress_in_calls();
  return kernels::dash_main(
      argc, argv,
      histogram::make_program("histogram", [](const auto& options, const auto&, const auto&) {
        return std::make_unique<histogram::DashExchange>(options.problem, options.combining);
      }));
}
