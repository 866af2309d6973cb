// A task loop as in self-consistent-field programs: see README.md for how to run it, Loop.cpp for the
// loop and DashExchange.h for what units exchange.

#include "DashExchange.h"
#include "Run.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  kernels::progress_in_calls();
  return kernels::dash_main(
      argc, argv, scf::make_program("scf", [](const auto& options, const auto&, const auto&) {
        return std::make_unique<scf::DashExchange>(options.problem);
      }));
}
