// A task loop as in self-consistent-field programs. README.md describes how to run it, Loop.cpp
// contains the loop and DashExchange.cpp the communication.

#include "DashExchange.h"
#include "Run.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(
      argc, argv, scf::make_program("scf", [](const auto& options, const auto&, const auto&) {
        return std::make_unique<scf::DashExchange>(options.problem);
      }));
}
