// The five-point stencil: see README.md for how to run it, DashExchange.h for what units exchange.

#include "DashExchange.h"
#include "Run.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  kernels::progress_in_calls();
  return kernels::dash_main(
      argc, argv,
      stencil::make_program("stencil", [](const auto& problem, const auto&, const auto&) {
        return std::make_unique<stencil::DashExchange>(problem);
      }));
}
