// A distributed histogram. README.md describes how to run it, DashExchange.cpp contains the
// communication.

#include "DashExchange.h"
#include "Run.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(
      argc, argv,
      histogram::make_program("histogram", [](const auto& options, const auto&, const auto&) {
        return std::make_unique<histogram::DashExchange>(options.problem, options.combining);
      }));
}
