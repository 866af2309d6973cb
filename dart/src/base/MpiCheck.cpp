#include "base/MpiCheck.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace dash::dart {

std::string mpi_error_text(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

void throw_mpi_error(int code, const char* call, int peer) {
  const std::string with_peer = peer == no_peer ? "" : fmt::format(" (peer: unit {})", peer);
  throw_error(DART_ERR_OTHER, "{}{} failed with code {}: {}", call, with_peer, code,
              mpi_error_text(code));
}

void abort_mpi(MPI_Comm communicator, int code) noexcept {
  std::fflush(nullptr);
  // When the job is aborted, the launcher discards output that it has not forwarded yet.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  int level = MPI_THREAD_SINGLE;
  int is_main = 0;
  MPI_Query_thread(&level);
  MPI_Is_thread_main(&is_main);
  if (level == MPI_THREAD_MULTIPLE || is_main != 0) MPI_Abort(communicator, code);
  std::_Exit(code);
}

}  // namespace dash::dart
