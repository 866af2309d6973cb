#include "launch/ProgressCommand.h"

#include <array>

#include "base/Error.h"
#include "base/MpiCheck.h"

namespace dash::dart {

namespace {

void send(const Processes& processes, int server, const void* data, std::size_t nbytes) {
  check_mpi(MPI_Send(data, static_cast<int>(nbytes), MPI_BYTE, server, ProgressCommand::tag,
                     processes.communicator),
            "MPI_Send");
}

void receive(const Processes& processes, int server, void* data, std::size_t nbytes) {
  check_mpi(MPI_Recv(data, static_cast<int>(nbytes), MPI_BYTE, server, ProgressCommand::tag,
                     processes.communicator, MPI_STATUS_IGNORE),
            "MPI_Recv");
}

}  // namespace

void request_mapping(const Processes& processes, int server, std::span<const HeapDescriptor> heaps,
                     std::uint64_t nbytes, const ProgressPlacement& placement) {
  const ProgressCommand command{ProgressCommand::Kind::map_heaps,
                                static_cast<std::uint32_t>(heaps.size()), 0, nbytes};
  send(processes, server, &command, sizeof command);
  send(processes, server, heaps.data(), heaps.size_bytes());
  send(processes, server, &placement, sizeof placement);
  std::array<char, ProgressCommand::reply_bytes> error{};
  receive(processes, server, error.data(), error.size());
  if (error[0] != '\0') throw_error_text(DART_ERR_NOMEM, error.data());
}

void start_statistics_of(const Processes& processes, int server) {
  const ProgressCommand command{ProgressCommand::Kind::start_statistics};
  send(processes, server, &command, sizeof command);
  receive(processes, server, nullptr, 0);
}

core::Statistics statistics_of(const Processes& processes, int server) {
  const ProgressCommand command{ProgressCommand::Kind::send_statistics};
  send(processes, server, &command, sizeof command);
  core::Statistics numbers;
  receive(processes, server, &numbers, sizeof numbers);
  return numbers;
}

}  // namespace dash::dart
