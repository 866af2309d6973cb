#include "MpiExchange.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace lulesh {

namespace {

/// A message is named as its receiver sees it.
int tag(Kind kind, std::size_t direction) {
  return static_cast<int>(Inbox::number(kind, direction));
}

/// Waits until done(), leaving the processor to others after a while: MPI spins in its own waits, and
/// where there are more units than processors those it waits for do not run meanwhile.
template <class Done>
void wait_for(const Done& done) {
  constexpr int spins_of_its_own = 2000;
  for (int spins = 0; !done(); ++spins) {
    if (spins > spins_of_its_own) std::this_thread::yield();
  }
}

void wait(MPI_Request& request) {
  wait_for([&] {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
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

MpiExchange::MpiExchange(const Mesh& mesh)
    : _mesh(mesh),
      _places(mesh),
      _is_crowded(static_cast<unsigned>(units_of(mesh)) > std::thread::hardware_concurrency()) {}

TimeLimits MpiExchange::least(const TimeLimits& own) {
  std::array<double, 2> all{own.courant, own.hydro};
  if (!_is_crowded) {
    MPI_Allreduce(MPI_IN_PLACE, all.data(), 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  } else {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, all.data(), 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, &request);
    wait(request);
  }
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
  wait_for([&] {
    int done = 0;
    MPI_Testall(num_directions, of(kind).sends.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  });
}

void Messages::send(Kind kind, std::size_t direction) {
  MPI_Start(&of(kind).sends[direction]);
}

void Messages::wait_received(Kind kind, std::size_t direction) {
  wait(of(kind).receives[direction]);
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

RmaExchange::RmaExchange(const Mesh& mesh, bool is_one_node)
    : MpiExchange(mesh),
      _is_one_node(is_one_node),
      _inbox(places().capacity() * sizeof(double), kernels::MpiMemory::Kind::window),
      _outbox(places().capacity()),
      _announcements(mesh, places(), nullptr, nullptr) {}

void RmaExchange::announce(Kind kind) {
  _announcements.wait_sent(kind);
  _inbox.flush();
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (sends(mesh(), kind, d)) _announcements.send(kind, d);
  }
}

void RmaExchange::start(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(mesh(), kind, d)) continue;
    double* const message = _outbox.data() + places().place(kind, d);
    pack(mesh(), fields, kind, d, message);
    const int size = static_cast<int>(message_size(mesh(), kind, d));
    MPI_Put(message, size, MPI_DOUBLE, mesh().neighbour(directions[d]),
            static_cast<MPI_Aint>(places().place(kind, opposite(d)) * sizeof(double)), size,
            MPI_DOUBLE, _inbox.window());
  }
  // On a node puts are stores. Between nodes a flush takes until the target calls MPI: it is left for
  // finish(), where the target waits as well.
  if (_is_one_node) announce(kind);
}

void RmaExchange::finish(Kind kind, const Fields& fields) {
  if (!_is_one_node) announce(kind);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(mesh(), kind, d)) continue;
    _announcements.wait_received(kind, d);
    MPI_Win_sync(_inbox.window());
    unpack(mesh(), fields, kind, d, _inbox.local<double>() + places().place(kind, d));
  }
  _announcements.expect(kind);
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
    wait_for([&] { return has_come_to(theirs.round, round); });
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
    wait_for([&] { return has_come_to(own.flags[Inbox::number(kind, d)].round, round); });
    unpack(mesh(), fields, kind, d, own.inbox() + places().place(kind, d));
  }
}

std::unique_ptr<Exchange> make_mpi_exchange(const std::string& name, const Mesh& mesh,
                                            bool is_one_node) {
  if (name == "two-sided") return std::make_unique<TwoSidedExchange>(mesh);
  if (name == "rma") return std::make_unique<RmaExchange>(mesh, is_one_node);
  if (name == "shared") return std::make_unique<SharedExchange>(mesh);
  return std::make_unique<NoExchange>();
}

}  // namespace lulesh
