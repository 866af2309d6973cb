#include "Program.h"

#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "Options.h"
#include "ShellQuote.h"
#include "dash/dart/MpiLibrary.h"

namespace dash::run {

namespace {

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// Whether this is the name of an MPI library: libmpi.so.40 (Open MPI), libmpich.so.12, libmpi.so.12 (MPICH and
/// libraries derived from it).
bool is_mpi_library(const std::string& name) {
  return name.starts_with("libmpi.so") || name.starts_with("libmpich.so");
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// The output of a command, without its errors.
std::string output_of(const std::string& command) {
  std::string text;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"),
                                                             ::pclose);
  if (!pipe) return text;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), n);
  return text;
}

/// Names of the MPI libraries that the dynamic linker would load for a program.
std::vector<std::string> mpi_libraries_of(const std::string& path) {
  std::vector<std::string> names;
  // A line of ldd is "NAME => PATH (ADDRESS)" or "NAME => not found". ldd fails for scripts and static programs.
  std::istringstream lines(output_of("ldd " + tools::shell_quote(path) + " 2>/dev/null"));
  for (std::string name, line; lines >> name && std::getline(lines, line);) {
    if (is_mpi_library(base_name(name))) names.push_back(base_name(name));
  }
  return names;
}

std::string join(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (!is_file(name))
      throw Error(fmt::format("there is no program '{}'; expected the path of a file", name));
    if (::access(name.c_str(), X_OK) != 0) {
      throw Error(fmt::format(
          "'{0}' is not executable; use 'chmod +x {0}', or start its interpreter", name));
    }
    return name;
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_file(candidate) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  throw Error(fmt::format("there is no program '{}' in the folders of PATH{}", name,
                          is_file(name) ? "; for that of the current folder, write './" + name + "'"
                                        : "; expected a path such as './program', or a name"));
}

std::vector<std::string> own_mpi_libraries() {
  std::vector<std::string> names;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        std::string name = base_name(info->dlpi_name);
        if (name.starts_with("libmpi"))
          static_cast<std::vector<std::string>*>(result)->push_back(name);
        return 0;
      },
      &names);
  return names;
}

void check_mpi_of_program(const std::string& path) {
  const std::vector<std::string> own = own_mpi_libraries();
  if (own.empty()) return;
  std::vector<std::string> others = mpi_libraries_of(path);
  std::erase_if(others, [&](const std::string& name) {
    return std::find(own.begin(), own.end(), name) != own.end();
  });
  if (others.empty()) return;
  throw Error(
      fmt::format("'{}' is linked with {}, but the library is built with {} ({}), whose launcher "
                  "would start separate processes of one unit; link the program with this MPI, or "
                  "use the dashrun of a DASH that is built with the other",
                  path, join(others), dart::mpi_library(), join(own)));
}

}  // namespace dash::run
