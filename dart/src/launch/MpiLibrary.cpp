#include "dash/dart/MpiLibrary.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace dash::dart {

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  // The first line is, for example, "MPICH Version:      4.0.2".
  std::string_view line(text);
  line = line.substr(0, line.find_first_of(",\n"));
  constexpr std::string_view label = " Version:";
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return std::string(line);
  std::string_view version = line.substr(at + label.size());
  version.remove_prefix(std::min(version.find_first_not_of(" \t"), version.size()));
  return std::string(line.substr(0, at)) + " " + std::string(version);
}

bool is_task_of_srun() {
  const char* const task = std::getenv("SLURM_TASK_PID");
  return task != nullptr && std::strtol(task, nullptr, 10) == ::getpid();
}

}  // namespace dash::dart
