#include "launch/ProgressCommand.h"

#include <array>

#include "base/Error.h"
#include "base/MpiCheck.h"

namespace dash::dart {

void request_mapping(const Processes& processes, int server, std::span<const HeapDescriptor> heaps,
                     std::uint64_t nbytes, const ProgressPlacement& placement) {
  const auto send = [&](const void* data, std::size_t size) {
    check_mpi(MPI_Send(data, static_cast<int>(size), MPI_BYTE, server, ProgressCommand::tag,
                       processes.communicator),
              "MPI_Send");
  };
  const ProgressCommand command{ProgressCommand::Kind::map_heaps,
                                static_cast<std::uint32_t>(heaps.size()), 0, nbytes};
  send(&command, sizeof command);
  send(heaps.data(), heaps.size_bytes());
  send(&placement, sizeof placement);
  std::array<char, ProgressCommand::reply_bytes> error{};
  check_mpi(MPI_Recv(error.data(), static_cast<int>(error.size()), MPI_BYTE, server,
                     ProgressCommand::tag, processes.communicator, MPI_STATUS_IGNORE),
            "MPI_Recv");
  if (error[0] != '\0') throw_error_text(DART_ERR_NOMEM, error.data());
}

}  // namespace dash::dart
