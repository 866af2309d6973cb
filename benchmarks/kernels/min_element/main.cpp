// The minimum of a distributed array. README.md describes how to run it.

#include "DashSearch.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(
      argc, argv,
      min_element::make_program("min_element", [](const auto& problem, const auto&, const auto&) {
        return std::make_unique<min_element::DashSearch>(problem);
      }));
}
