#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "support/ProgramRun.h"

namespace dash::test {

/// A temporary folder of programs, removed by the destructor.
class Programs {
 public:
  Programs() : _path(std::filesystem::temp_directory_path() / unique_name()) {
    std::filesystem::create_directory(_path);
  }
  ~Programs() {
    std::error_code ignored;
    std::filesystem::remove_all(_path, ignored);
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  /// Adds a shell script that runs `lines` on unit 0, with the name of the report file in $report.
  std::string add(const std::string& name, const std::string& lines) const {
    const auto path = _path / name;
    std::ofstream(path)
        << "#!/bin/sh\n"
           "arguments=$*\n"
           "while [ $# -gt 0 ]; do\n"
           "  [ \"$1\" != --report ] || report=$2\n"
           "  shift\n"
           "done\n"
           "[ \"${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}\" = 0 ] || exit 0\n"
           // mpiexec closes the standard input of unit 0, and is killed by SIGPIPE if unit 0 has exited by
           // then.
           "cat >/dev/null\n"
        << lines << '\n';
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  }
  /// Adds a program that reports the given samples and appends its name to the file `log`. In `samples` and
  /// `more`, the shell variable n is the number of its runs so far.
  std::string add_timed(const std::string& name, const std::string& samples,
                        const std::string& more = "") const {
    return add(name, "echo " + name + " >>'" + path("log") + "'\n" + "n=$(grep -cx " + name + " '" +
                         path("log") + "')\n" +
                         "echo '{\"units\": '${PMI_SIZE:-$OMPI_COMM_WORLD_SIZE}', \"valid\": true, "
                         "\"samples\": [" +
                         samples + "]" + more + "}' >\"$report\"");
  }
  std::string path(const std::string& name) const { return (_path / name).string(); }
  std::string text(const std::string& name) const {
    std::ifstream in(path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  static std::string unique_name() {
    static int count = 0;
    return "dash-bench-test-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
  }

  std::filesystem::path _path;
};

inline bench::ProgramRun two_units(const std::string& program) {
  bench::ProgramRun run;
  run.units = 2;
  run.program = program;
  return run;
}

}  // namespace dash::test
