// Starts a program of several units with the MPI library with which libdash was built.

#include <cstdio>
#include <exception>

#include "Command.h"
#include "Options.h"
#include "Run.h"

int main(int argc, char** argv) {
  try {
    const dash::run::Options options = dash::run::parse_options(argc, argv);
    const dash::run::Command command = dash::run::make_command(options);
    if (options.dry_run) {
      std::printf("%s\n", command.text().c_str());
      return 0;
    }
    return dash::run::run(command, options.timeout_s, options.command.front());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dashrun: %s\n", error.what());
    return 125;
  }
}
