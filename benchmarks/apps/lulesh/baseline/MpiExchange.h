#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "exchange/Exchange.h"
#include "exchange/MessageLayout.h"
#include "mesh/Mesh.h"
#include "support/MpiProgram.h"

namespace lulesh {

/// Base class of the exchanges with MPI only, the baselines. They send the same messages with the
/// same contents.
class MpiExchange : public Exchange {
 public:
  explicit MpiExchange(const Mesh& mesh);

  TimeLimits minimum(const TimeLimits& own) override;

 protected:
  const Mesh& mesh() const { return _mesh; }
  const MessageLayout& layout() const { return _layout; }

 private:
  const Mesh& _mesh;
  MessageLayout _layout;
};

/// Persistent requests to and from the neighbours, one for each kind and direction. A receive is
/// posted as soon as the previous message has been unpacked, so that no message arrives unexpected.
class Messages {
 public:
  /// \param receive_buffer, send_buffer  buffers with the given layout; null: the messages are
  ///                                     empty
  Messages(const Mesh& mesh, const MessageLayout& layout, double* receive_buffer,
           double* send_buffer);
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  /// Waits for local completion of the last sends of a kind: the send buffer may be reused.
  void wait_sent(Kind kind);
  void send(Kind kind, std::size_t direction);
  void wait_received(Kind kind, std::size_t direction);
  /// Posts the receives of a kind. \pre the previous messages of the kind have been unpacked
  void post_receives(Kind kind);

 private:
  struct Requests {
    std::array<MPI_Request, num_directions> receives{};  // MPI_REQUEST_NULL: no message
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
  std::vector<double> _receive_buffer;
  std::vector<double> _send_buffer;
  Messages _messages;
};

/// One-sided, in one epoch for the whole run. A unit packs all messages of a kind into its window
/// and announces them by empty messages; the neighbours get them.
class RmaExchange final : public MpiExchange {
 public:
  explicit RmaExchange(const Mesh& mesh);

  /// \pre all units have called minimum() since the last start of the kind: then the previous
  ///      messages have been fetched
  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;

 private:
  MPI_Request get(Kind kind, std::size_t direction);

  kernels::MpiMemory _send_buffer;
  std::vector<double> _receive_buffer;
  Messages _announcements;
};

/// Shared memory, within a node. A unit packs its messages into the receive buffers of the
/// neighbours and raises a flag there. The reduction of the limits reads the values of the other
/// units.
class SharedExchange final : public MpiExchange {
 public:
  explicit SharedExchange(const Mesh& mesh);

  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;
  TimeLimits minimum(const TimeLimits& own) override;

 private:
  struct alignas(64) Flag {
    unsigned round;
  };
  struct alignas(64) Limits {
    unsigned round;
    std::array<TimeLimits, 2> values;
  };
  /// The shared memory of a unit, followed by its receive buffer; all bits are initially zero.
  /// Rounds are accessed atomically.
  struct Part {
    Limits limits;
    std::array<Flag, MessageLayout::num_messages> flags;
    double* receive_buffer() { return reinterpret_cast<double*>(this + 1); }
  };
  Part& part(int unit) const { return *_memory.of<Part>(unit); }

  int _units;
  kernels::MpiMemory _memory;
  std::array<unsigned, num_kinds> _rounds{};
  unsigned _reductions = 0;
};

/// \param name  two-sided, rma, shared, or none (for one unit)
std::unique_ptr<Exchange> make_mpi_exchange(const std::string& name, const Mesh& mesh);

}  // namespace lulesh
