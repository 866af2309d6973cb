// The main program of tests that run in a single process.

#include <cstdio>

#include "support/Runner.h"

int main(int argc, char** argv) {
  dash::test::SessionOptions options;
  options.seed = dash::test::choose_seed();
  options.on_failed_case = [&options] { std::fprintf(stderr, "seed %u\n", options.seed); };
  return dash::test::run_session(argc, argv, options);
}
