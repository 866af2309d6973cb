// The five-point stencil. README.md describes how to run it, DashExchange.cpp contains the
// communication.

#include "DashExchange.h"
#include "Run.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(
      argc, argv,
      stencil::make_program("stencil", [](const auto& problem, const auto&, const auto&) {
        return std::make_unique<stencil::DashExchange>(problem);
      }));
}
