#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "Exchange.h"
#include "Inbox.h"
#include "Mesh.h"

namespace lulesh {

/// The exchanges by MPI alone, for comparison: the same messages of the same numbers.
class MpiExchange : public Exchange {
 public:
  TimeLimits least(const TimeLimits& own) override;
};

/// Messages: non-blocking and persistent, all of a kind at once.
class TwoSidedExchange final : public MpiExchange {
 public:
  explicit TwoSidedExchange(const Mesh& mesh);
  ~TwoSidedExchange() override;
  TwoSidedExchange(const TwoSidedExchange&) = delete;
  TwoSidedExchange& operator=(const TwoSidedExchange&) = delete;

  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;

 private:
  const Mesh& _mesh;
  Inbox _places;
  std::vector<double> _inbox;
  std::vector<double> _outbox;
  struct Requests {
    std::vector<MPI_Request> receives;
    std::vector<MPI_Request> sends;
  };
  std::array<Requests, num_kinds> _requests;
};

/// One-sided: one epoch for the whole run; all of a kind are put, flushed once, and announced.
class RmaExchange final : public MpiExchange {
 public:
  explicit RmaExchange(const Mesh& mesh);
  ~RmaExchange() override;
  RmaExchange(const RmaExchange&) = delete;
  RmaExchange& operator=(const RmaExchange&) = delete;

  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;

 private:
  const Mesh& _mesh;
  Inbox _places;
  double* _inbox = nullptr;
  MPI_Win _window = MPI_WIN_NULL;
  std::vector<double> _outbox;
  std::vector<MPI_Request> _announcements;
};

/// Within a node: everybody packs into the neighbours' memory and raises a flag there; limits are read
/// where the others have them.
class SharedExchange final : public MpiExchange {
 public:
  explicit SharedExchange(const Mesh& mesh);
  ~SharedExchange() override;
  SharedExchange(const SharedExchange&) = delete;
  SharedExchange& operator=(const SharedExchange&) = delete;

  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;
  TimeLimits least(const TimeLimits& own) override;

 private:
  struct alignas(64) Flag {
    std::atomic<unsigned> round;
  };
  struct alignas(64) Limits {
    std::atomic<unsigned> round;
    std::array<TimeLimits, 2> values;
  };
  struct Part {
    Limits* limits;
    Flag* flags;
    double* inbox;
  };

  const Mesh& _mesh;
  Inbox _places;
  MPI_Win _window = MPI_WIN_NULL;
  std::vector<Part> _parts;
  std::array<unsigned, num_kinds> _rounds{};
  unsigned _reductions = 0;
};

/// \param name  two-sided, rma, shared, or none for one unit
std::unique_ptr<Exchange> make_mpi_exchange(const std::string& name, const Mesh& mesh);

}  // namespace lulesh
