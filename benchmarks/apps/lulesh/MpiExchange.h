#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "Exchange.h"
#include "Inbox.h"
#include "Mesh.h"
#include "support/MpiProgram.h"

namespace lulesh {

/// The exchanges by MPI alone, for comparison: the same messages of the same numbers.
class MpiExchange : public Exchange {
 public:
  explicit MpiExchange(const Mesh& mesh);

  TimeLimits least(const TimeLimits& own) override;

 protected:
  const Mesh& mesh() const { return _mesh; }
  const Inbox& places() const { return _places; }

 private:
  const Mesh& _mesh;
  Inbox _places;
};

/// Persistent messages with the neighbours, of each kind and direction one. A receive is posted as soon as
/// the message before has been used, so that none comes unexpected.
class Messages {
 public:
  /// \param inbox, outbox  with the places of an Inbox; null: the messages are empty
  Messages(const Mesh& mesh, const Inbox& places, double* inbox, double* outbox);
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  /// Returns when the last messages of a kind are sent: the outbox may be used again.
  void wait_sent(Kind kind);
  void send(Kind kind, std::size_t direction);
  void wait_received(Kind kind, std::size_t direction);
  /// What has been received of a kind has been used.
  void expect(Kind kind);

 private:
  struct Requests {
    std::array<MPI_Request, num_directions> receives{};  // MPI_REQUEST_NULL where there is none
    std::array<MPI_Request, num_directions> sends{};
  };
  Requests& of(Kind kind) { return _requests[static_cast<std::size_t>(kind)]; }

  std::array<Requests, num_kinds> _requests;
};

class TwoSidedExchange final : public MpiExchange {
 public:
  explicit TwoSidedExchange(const Mesh& mesh);

  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;

 private:
  std::vector<double> _inbox;
  std::vector<double> _outbox;
  Messages _messages;
};

/// One-sided: one epoch for the whole run; all of a kind are packed and announced by empty messages,
/// and the neighbours get them.
class RmaExchange final : public MpiExchange {
 public:
  explicit RmaExchange(const Mesh& mesh);

  /// \pre since the last start of the kind all units have met in least(): then they have got what was
  ///      packed before
  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;

 private:
  MPI_Request get(Kind kind, std::size_t direction);

  kernels::MpiMemory _outbox;
  std::vector<double> _inbox;
  Messages _announcements;
};

/// Within a node: everybody packs into the neighbours' memory and raises a flag there; limits are read
/// where the others have them.
class SharedExchange final : public MpiExchange {
 public:
  explicit SharedExchange(const Mesh& mesh);

  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;
  TimeLimits least(const TimeLimits& own) override;

 private:
  struct alignas(64) Flag {
    unsigned round;
  };
  struct alignas(64) Limits {
    unsigned round;
    std::array<TimeLimits, 2> values;
  };
  /// What a unit has in shared memory, in this order; all bits are zero to begin with. Rounds are atomic.
  struct Part {
    Limits limits;
    std::array<Flag, Inbox::num_messages> flags;
    double* inbox() { return reinterpret_cast<double*>(this + 1); }
  };
  Part& part(int unit) const { return *_memory.of<Part>(unit); }

  int _units;
  kernels::MpiMemory _memory;
  std::array<unsigned, num_kinds> _rounds{};
  unsigned _reductions = 0;
};

/// \param name  two-sided, rma, shared, or none for one unit
std::unique_ptr<Exchange> make_mpi_exchange(const std::string& name, const Mesh& mesh);

}  // namespace lulesh
