#include "baseline/MpiExchange.h"

#include <algorithm>
#include <atomic>

#include "support/MpiWait.h"

namespace lulesh {

namespace {

/// The tag of a message; `direction` is that from the receiver to the sender.
int tag(Kind kind, std::size_t direction) {
  return static_cast<int>(MessageLayout::number(kind, direction));
}

int units_of(const Mesh& mesh) {
  return mesh.units[0] * mesh.units[1] * mesh.units[2];
}

/// Whether a round counter, which another process sets, has reached a value.
bool has_reached(unsigned& round, unsigned awaited) {
  const unsigned current = std::atomic_ref(round).load(std::memory_order_acquire);
  return static_cast<int>(current - awaited) >= 0;
}

}  // namespace

MpiExchange::MpiExchange(const Mesh& mesh) : _mesh(mesh), _layout(mesh) {}

TimeLimits MpiExchange::minimum(const TimeLimits& own) {
  std::array<double, 2> all{own.courant, own.hydro};
  kernels::reduce_all(all.data(), all.size(), MPI_DOUBLE, MPI_MIN);
  return {all[0], all[1]};
}

Messages::Messages(const Mesh& mesh, const MessageLayout& layout, double* receive_buffer,
                   double* send_buffer) {
  const auto at = [&](double* buffer, Kind kind, std::size_t d) {
    return buffer == nullptr ? nullptr : buffer + layout.offset(kind, d);
  };
  for (std::size_t k = 0; k < num_kinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    Requests& requests = of(kind);
    requests.receives.fill(MPI_REQUEST_NULL);
    requests.sends.fill(MPI_REQUEST_NULL);
    for (std::size_t d = 0; d < num_directions; ++d) {
      const int neighbour = mesh.neighbour(directions[d]);
      const int size =
          receive_buffer == nullptr ? 0 : static_cast<int>(message_size(mesh, kind, d));
      if (receives(mesh, kind, d)) {
        MPI_Recv_init(at(receive_buffer, kind, d), size, MPI_DOUBLE, neighbour, tag(kind, d),
                      MPI_COMM_WORLD, &requests.receives[d]);
      }
      if (sends(mesh, kind, d)) {
        MPI_Send_init(at(send_buffer, kind, d), size, MPI_DOUBLE, neighbour, tag(kind, opposite(d)),
                      MPI_COMM_WORLD, &requests.sends[d]);
      }
    }
    post_receives(kind);
  }
}

Messages::~Messages() {
  for (std::size_t kind = 0; kind < num_kinds; ++kind)
    wait_sent(static_cast<Kind>(kind));
  for (Requests& requests : _requests) {
    for (MPI_Request& request : requests.receives) {
      if (request == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Request_free(&request);
    }
    for (MPI_Request& request : requests.sends) {
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  }
}

void Messages::wait_sent(Kind kind) {
  kernels::wait_for_stores([&] {
    int done = 0;
    MPI_Testall(num_directions, of(kind).sends.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  });
}

void Messages::send(Kind kind, std::size_t direction) {
  MPI_Start(&of(kind).sends[direction]);
}

void Messages::wait_received(Kind kind, std::size_t direction) {
  kernels::wait_yielding(of(kind).receives[direction]);
}

void Messages::post_receives(Kind kind) {
  for (MPI_Request& request : of(kind).receives) {
    if (request != MPI_REQUEST_NULL) MPI_Start(&request);
  }
}

TwoSidedExchange::TwoSidedExchange(const Mesh& mesh)
    : MpiExchange(mesh),
      _receive_buffer(layout().capacity()),
      _send_buffer(layout().capacity()),
      _messages(mesh, layout(), _receive_buffer.data(), _send_buffer.data()) {}

void TwoSidedExchange::start(Kind kind, const Fields& fields) {
  _messages.wait_sent(kind);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(mesh(), kind, d)) continue;
    pack(mesh(), fields, kind, d, _send_buffer.data() + layout().offset(kind, d));
    _messages.send(kind, d);
  }
}

void TwoSidedExchange::finish(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    _messages.wait_received(kind, d);
    unpack(mesh(), fields, kind, d, _receive_buffer.data() + layout().offset(kind, d));
  }
  _messages.post_receives(kind);
}

RmaExchange::RmaExchange(const Mesh& mesh)
    : MpiExchange(mesh),
      _send_buffer(layout().capacity() * sizeof(double), kernels::MpiMemory::Kind::window),
      _receive_buffer(layout().capacity()),
      _announcements(mesh, layout(), nullptr, nullptr) {}

/// Uses gets rather than puts: the origin of a put needs a flush to complete it, which waits until
/// the target calls MPI.
void RmaExchange::start(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (sends(mesh(), kind, d))
      pack(mesh(), fields, kind, d,
           _send_buffer.local<double>() + layout().offset(kind, opposite(d)));
  }
  MPI_Win_sync(_send_buffer.window());
  _announcements.wait_sent(kind);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (sends(mesh(), kind, d)) _announcements.send(kind, d);
  }
}

MPI_Request RmaExchange::get(Kind kind, std::size_t direction) {
  const std::size_t offset = layout().offset(kind, direction);
  const auto size = static_cast<int>(message_size(mesh(), kind, direction));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Rget(_receive_buffer.data() + offset, size, MPI_DOUBLE,
           mesh().neighbour(directions[direction]), static_cast<MPI_Aint>(offset * sizeof(double)),
           size, MPI_DOUBLE, _send_buffer.window(), &request);
  return request;
}

void RmaExchange::finish(Kind kind, const Fields& fields) {
  std::array<MPI_Request, num_directions> gets{};
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    _announcements.wait_received(kind, d);
    gets[d] = get(kind, d);
  }
  _announcements.post_receives(kind);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    kernels::wait_yielding(gets[d]);
    unpack(mesh(), fields, kind, d, _receive_buffer.data() + layout().offset(kind, d));
  }
}

SharedExchange::SharedExchange(const Mesh& mesh)
    : MpiExchange(mesh),
      _units(units_of(mesh)),
      _memory(sizeof(Part) + layout().capacity() * sizeof(double),
              kernels::MpiMemory::Kind::shared) {}

TimeLimits SharedExchange::minimum(const TimeLimits& own) {
  // Alternate between two values: a unit that still reads one is at most one call behind a unit
  // that writes the other.
  const unsigned round = ++_reductions;
  const std::size_t parity = round % 2;
  Limits& mine = part(mesh().unit()).limits;
  mine.values[parity] = own;
  std::atomic_ref(mine.round).store(round, std::memory_order_release);
  TimeLimits smallest = own;
  for (int unit = 0; unit < _units; ++unit) {
    Limits& theirs = part(unit).limits;
    kernels::wait_for_stores([&] { return has_reached(theirs.round, round); });
    smallest.courant = std::min(smallest.courant, theirs.values[parity].courant);
    smallest.hydro = std::min(smallest.hydro, theirs.values[parity].hydro);
  }
  return smallest;
}

void SharedExchange::start(Kind kind, const Fields& fields) {
  const unsigned round = ++_rounds[static_cast<std::size_t>(kind)];
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(mesh(), kind, d)) continue;
    Part& target = part(mesh().neighbour(directions[d]));
    pack(mesh(), fields, kind, d, target.receive_buffer() + layout().offset(kind, opposite(d)));
    std::atomic_ref(target.flags[MessageLayout::number(kind, opposite(d))].round)
        .store(round, std::memory_order_release);
  }
}

void SharedExchange::finish(Kind kind, const Fields& fields) {
  const unsigned round = _rounds[static_cast<std::size_t>(kind)];
  Part& own = part(mesh().unit());
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    kernels::wait_for_stores(
        [&] { return has_reached(own.flags[MessageLayout::number(kind, d)].round, round); });
    unpack(mesh(), fields, kind, d, own.receive_buffer() + layout().offset(kind, d));
  }
}

std::unique_ptr<Exchange> make_mpi_exchange(const std::string& name, const Mesh& mesh) {
  if (name == "two-sided") return std::make_unique<TwoSidedExchange>(mesh);
  if (name == "rma") return std::make_unique<RmaExchange>(mesh);
  if (name == "shared") return std::make_unique<SharedExchange>(mesh);
  return std::make_unique<NoExchange>();
}

}  // namespace lulesh
