#include "MpiExchange.h"

#include <algorithm>
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

void wait_all(std::vector<MPI_Request>& requests) {
  wait_for([&] {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  });
}

}  // namespace

TimeLimits MpiExchange::least(const TimeLimits& own) {
  std::array<double, 2> all{own.courant, own.hydro};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, all.data(), 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, &request);
  wait_for([&] {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
  return {all[0], all[1]};
}

TwoSidedExchange::TwoSidedExchange(const Mesh& mesh)
    : _mesh(mesh), _places(mesh), _inbox(_places.capacity()), _outbox(_places.capacity()) {
  for (std::size_t k = 0; k < num_kinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    for (std::size_t d = 0; d < num_directions; ++d) {
      const int neighbour = mesh.neighbour(directions[d]);
      if (receives(mesh, kind, d)) {
        MPI_Recv_init(_inbox.data() + _places.place(kind, d),
                      static_cast<int>(message_size(mesh, kind, d)), MPI_DOUBLE, neighbour,
                      tag(kind, d), MPI_COMM_WORLD, &_requests[k].receives.emplace_back());
      }
      if (sends(mesh, kind, d)) {
        MPI_Send_init(_outbox.data() + _places.place(kind, d),
                      static_cast<int>(message_size(mesh, kind, d)), MPI_DOUBLE, neighbour,
                      tag(kind, opposite(d)), MPI_COMM_WORLD, &_requests[k].sends.emplace_back());
      }
    }
  }
}

TwoSidedExchange::~TwoSidedExchange() {
  for (auto& requests : _requests) {
    for (MPI_Request& request : requests.receives)
      MPI_Request_free(&request);
    for (MPI_Request& request : requests.sends)
      MPI_Request_free(&request);
  }
}

void TwoSidedExchange::start(Kind kind, const Fields& fields) {
  auto& [to_receive, to_send] = _requests[static_cast<std::size_t>(kind)];
  MPI_Startall(static_cast<int>(to_receive.size()), to_receive.data());
  auto request = to_send.begin();
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(_mesh, kind, d)) continue;
    pack(_mesh, fields, kind, d, _outbox.data() + _places.place(kind, d));
    MPI_Start(&*request++);
  }
}

void TwoSidedExchange::finish(Kind kind, const Fields& fields) {
  auto& [to_receive, to_send] = _requests[static_cast<std::size_t>(kind)];
  wait_all(to_receive);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (receives(_mesh, kind, d))
      unpack(_mesh, fields, kind, d, _inbox.data() + _places.place(kind, d));
  }
  wait_all(to_send);
}

RmaExchange::RmaExchange(const Mesh& mesh)
    : _mesh(mesh), _places(mesh), _outbox(_places.capacity()) {
  // Whole pages: otherwise puts of MPICH 4.0 may go to the wrong place on a node.
  constexpr std::size_t page = 4096;
  const std::size_t npages = _places.capacity() * sizeof(double) / page + 1;
  MPI_Win_allocate(static_cast<MPI_Aint>(npages * page), sizeof(double), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &_inbox, &_window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, _window);
}

RmaExchange::~RmaExchange() {
  MPI_Win_unlock_all(_window);
  MPI_Win_free(&_window);
}

void RmaExchange::start(Kind kind, const Fields& fields) {
  // Announcements are awaited before the data are sent, so that none is unexpected.
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(_mesh, kind, d)) continue;
    MPI_Irecv(nullptr, 0, MPI_BYTE, _mesh.neighbour(directions[d]), tag(kind, d), MPI_COMM_WORLD,
              &_announcements.emplace_back());
  }
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(_mesh, kind, d)) continue;
    double* const message = _outbox.data() + _places.place(kind, d);
    pack(_mesh, fields, kind, d, message);
    const int size = static_cast<int>(message_size(_mesh, kind, d));
    MPI_Put(message, size, MPI_DOUBLE, _mesh.neighbour(directions[d]),
            static_cast<MPI_Aint>(_places.place(kind, opposite(d))), size, MPI_DOUBLE, _window);
  }
}

void RmaExchange::finish(Kind kind, const Fields& fields) {
  // Not earlier: a flush takes until the target calls MPI, which it does here, too.
  MPI_Win_flush_all(_window);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(_mesh, kind, d)) continue;
    MPI_Isend(nullptr, 0, MPI_BYTE, _mesh.neighbour(directions[d]), tag(kind, opposite(d)),
              MPI_COMM_WORLD, &_announcements.emplace_back());
  }
  wait_all(_announcements);
  _announcements.clear();
  MPI_Win_sync(_window);
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (receives(_mesh, kind, d)) unpack(_mesh, fields, kind, d, _inbox + _places.place(kind, d));
  }
}

TimeLimits SharedExchange::least(const TimeLimits& own) {
  // Two places by turns: who reads the one is at most a call behind who writes the other.
  const unsigned round = ++_reductions;
  const std::size_t turn = round % 2;
  Limits& mine = *_parts[static_cast<std::size_t>(_mesh.unit())].limits;
  mine.values[turn] = own;
  mine.round.store(round, std::memory_order_release);
  TimeLimits least = own;
  for (const Part& part : _parts) {
    const Limits& theirs = *part.limits;
    wait_for([&] {
      return static_cast<int>(theirs.round.load(std::memory_order_acquire) - round) >= 0;
    });
    least.courant = std::min(least.courant, theirs.values[turn].courant);
    least.hydro = std::min(least.hydro, theirs.values[turn].hydro);
  }
  return least;
}

SharedExchange::SharedExchange(const Mesh& mesh) : _mesh(mesh), _places(mesh) {
  const std::size_t flags = sizeof(Limits) + Inbox::num_messages * sizeof(Flag);
  void* own = nullptr;
  // Parts follow each other: whole cache lines.
  const std::size_t lines = (_places.capacity() * sizeof(double) + sizeof(Flag) - 1) / sizeof(Flag);
  MPI_Win_allocate_shared(static_cast<MPI_Aint>(flags + lines * sizeof(Flag)), 1, MPI_INFO_NULL,
                          MPI_COMM_WORLD, &own, &_window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, _window);
  const int units = mesh.units[0] * mesh.units[1] * mesh.units[2];
  for (int unit = 0; unit < units; ++unit) {
    MPI_Aint size = 0;
    int disp_unit = 0;
    void* begin = nullptr;
    MPI_Win_shared_query(_window, unit, &size, &disp_unit, &begin);
    auto* const bytes = static_cast<std::byte*>(begin);
    _parts.push_back({reinterpret_cast<Limits*>(bytes),
                      reinterpret_cast<Flag*>(bytes + sizeof(Limits)),
                      reinterpret_cast<double*>(bytes + flags)});
  }
  const Part& part = _parts[static_cast<std::size_t>(mesh.unit())];
  new (part.limits) Limits{};
  for (std::size_t i = 0; i < Inbox::num_messages; ++i)
    new (&part.flags[i]) Flag{{0}};
  MPI_Barrier(MPI_COMM_WORLD);
}

SharedExchange::~SharedExchange() {
  MPI_Win_unlock_all(_window);
  MPI_Win_free(&_window);
}

void SharedExchange::start(Kind kind, const Fields& fields) {
  const unsigned round = ++_rounds[static_cast<std::size_t>(kind)];
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(_mesh, kind, d)) continue;
    const Part& part = _parts[static_cast<std::size_t>(_mesh.neighbour(directions[d]))];
    pack(_mesh, fields, kind, d, part.inbox + _places.place(kind, opposite(d)));
    part.flags[Inbox::number(kind, opposite(d))].round.store(round, std::memory_order_release);
  }
}

void SharedExchange::finish(Kind kind, const Fields& fields) {
  const unsigned round = _rounds[static_cast<std::size_t>(kind)];
  const Part& own = _parts[static_cast<std::size_t>(_mesh.unit())];
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(_mesh, kind, d)) continue;
    const auto& flag = own.flags[Inbox::number(kind, d)].round;
    wait_for([&] { return flag.load(std::memory_order_acquire) == round; });
    unpack(_mesh, fields, kind, d, own.inbox + _places.place(kind, d));
  }
}

std::unique_ptr<Exchange> make_mpi_exchange(const std::string& name, const Mesh& mesh) {
  if (name == "two-sided") return std::make_unique<TwoSidedExchange>(mesh);
  if (name == "rma") return std::make_unique<RmaExchange>(mesh);
  if (name == "shared") return std::make_unique<SharedExchange>(mesh);
  return std::make_unique<NoExchange>();
}

}  // namespace lulesh
