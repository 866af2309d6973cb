#include "MpiExchange.h"

#include <algorithm>
#include <atomic>

#include "support/MpiWait.h"

namespace lulesh {

namespace {

/// A message is named as its receiver sees it.
int tag(Kind kind, std::size_t direction) {
  return static_cast<int>(Inbox::number(kind, direction));
}

int units_of(const Mesh& mesh) {
  return mesh.units[0] * mesh.units[1] * mesh.units[2];
}

/// Of a round that another process sets.
bool has_come_to(unsigned& round, unsigned awaited) {
  const unsigned now = std::atomic_ref(round).load(std::memory_order_acquire);
  return static_cast<int>(now - awaited) >= 0;
}

}  // namespace

MpiExchange::MpiExchange(const Mesh& mesh) : _mesh(mesh), _places(mesh) {}

TimeLimits MpiExchange::least(const TimeLimits& own) {
  std::array<double, 2> all{own.courant, own.hydro};
  kernels::reduce_all(all.data(), all.size(), MPI_DOUBLE, MPI_MIN);
  return {all[0], all[1]};
}

Messages::Messages(const Mesh& mesh, const Inbox& places, double* inbox, double* outbox) {
  const auto at = [&](double* box, Kind kind, std::size_t d) {
    return box == nullptr ? nullptr : box + places.place(kind, d);
  };
  for (std::size_t k = 0; k < num_kinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    Requests& requests = of(kind);
    requests.receives.fill(MPI_REQUEST_NULL);
    requests.sends.fill(MPI_REQUEST_NULL);
    for (std::size_t d = 0; d < num_directions; ++d) {
      const int neighbour = mesh.neighbour(directions[d]);
      const int size = inbox == nullptr ? 0 : static_cast<int>(message_size(mesh, kind, d));
      if (receives(mesh, kind, d)) {
        MPI_Recv_init(at(inbox, kind, d), size, MPI_DOUBLE, neighbour, tag(kind, d), MPI_COMM_WORLD,
                      &requests.receives[d]);
      }
      if (sends(mesh, kind, d)) {
        MPI_Send_init(at(outbox, kind, d), size, MPI_DOUBLE, neighbour, tag(kind, opposite(d)),
                      MPI_COMM_WORLD, &requests.sends[d]);
      }
    }
    expect(kind);
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
  kernels::wait_politely(of(kind).receives[direction]);
}

void Messages::expect(Kind kind) {
  for (MPI_Request& request : of(kind).receives) {
    if (request != MPI_REQUEST_NULL) MPI_Start(&request);
  }
}

TwoSidedExchange::TwoSidedExchange(const Mesh& mesh)
    : MpiExchange(mesh),
      _inbox(places().capacity()),
      _outbox(places().capacity()),
      _messages(mesh, places(), _inbox.data(), _outbox.data()) {}

void TwoSidedExchange::start(Kind kind, const Fields& fields) {
  _messages.wait_sent(kind);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(mesh(), kind, d)) continue;
    pack(mesh(), fields, kind, d, _outbox.data() + places().place(kind, d));
    _messages.send(kind, d);
  }
}

void TwoSidedExchange::finish(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    _messages.wait_received(kind, d);
    unpack(mesh(), fields, kind, d, _inbox.data() + places().place(kind, d));
  }
  _messages.expect(kind);
}

RmaExchange::RmaExchange(const Mesh& mesh)
    : MpiExchange(mesh),
      _outbox(places().capacity() * sizeof(double), kernels::MpiMemory::Kind::window),
      _inbox(places().capacity()),
      _announcements(mesh, places(), nullptr, nullptr) {}

/// Gets and no puts: of a put the origin learns by a flush, which takes until the target calls MPI.
void RmaExchange::start(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (sends(mesh(), kind, d))
      pack(mesh(), fields, kind, d, _outbox.local<double>() + places().place(kind, opposite(d)));
  }
  MPI_Win_sync(_outbox.window());
  _announcements.wait_sent(kind);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (sends(mesh(), kind, d)) _announcements.send(kind, d);
  }
}

MPI_Request RmaExchange::get(Kind kind, std::size_t direction) {
  const std::size_t place = places().place(kind, direction);
  const auto size = static_cast<int>(message_size(mesh(), kind, direction));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Rget(_inbox.data() + place, size, MPI_DOUBLE, mesh().neighbour(directions[direction]),
           static_cast<MPI_Aint>(place * sizeof(double)), size, MPI_DOUBLE, _outbox.window(),
           &request);
  return request;
}

void RmaExchange::finish(Kind kind, const Fields& fields) {
  std::array<MPI_Request, num_directions> gets{};
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    _announcements.wait_received(kind, d);
    gets[d] = get(kind, d);
  }
  _announcements.expect(kind);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    kernels::wait_politely(gets[d]);
    unpack(mesh(), fields, kind, d, _inbox.data() + places().place(kind, d));
  }
}

SharedExchange::SharedExchange(const Mesh& mesh)
    : MpiExchange(mesh),
      _units(units_of(mesh)),
      _memory(sizeof(Part) + places().capacity() * sizeof(double),
              kernels::MpiMemory::Kind::shared) {}

TimeLimits SharedExchange::least(const TimeLimits& own) {
  // Two places by turns: who reads the one is at most a call behind who writes the other.
  const unsigned round = ++_reductions;
  const std::size_t turn = round % 2;
  Limits& mine = part(mesh().unit()).limits;
  mine.values[turn] = own;
  std::atomic_ref(mine.round).store(round, std::memory_order_release);
  TimeLimits least = own;
  for (int unit = 0; unit < _units; ++unit) {
    Limits& theirs = part(unit).limits;
    kernels::wait_for_stores([&] { return has_come_to(theirs.round, round); });
    least.courant = std::min(least.courant, theirs.values[turn].courant);
    least.hydro = std::min(least.hydro, theirs.values[turn].hydro);
  }
  return least;
}

void SharedExchange::start(Kind kind, const Fields& fields) {
  const unsigned round = ++_rounds[static_cast<std::size_t>(kind)];
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(mesh(), kind, d)) continue;
    Part& there = part(mesh().neighbour(directions[d]));
    pack(mesh(), fields, kind, d, there.inbox() + places().place(kind, opposite(d)));
    std::atomic_ref(there.flags[Inbox::number(kind, opposite(d))].round)
        .store(round, std::memory_order_release);
  }
}

void SharedExchange::finish(Kind kind, const Fields& fields) {
  const unsigned round = _rounds[static_cast<std::size_t>(kind)];
  Part& own = part(mesh().unit());
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    kernels::wait_for_stores(
        [&] { return has_come_to(own.flags[Inbox::number(kind, d)].round, round); });
    unpack(mesh(), fields, kind, d, own.inbox() + places().place(kind, d));
  }
}

std::unique_ptr<Exchange> make_mpi_exchange(const std::string& name, const Mesh& mesh) {
  if (name == "two-sided") return std::make_unique<TwoSidedExchange>(mesh);
  if (name == "rma") return std::make_unique<RmaExchange>(mesh);
  if (name == "shared") return std::make_unique<SharedExchange>(mesh);
  return std::make_unique<NoExchange>();
}

}  // namespace lulesh
