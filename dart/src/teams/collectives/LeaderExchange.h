#pragma once

#include <mpi.h>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "base/MpiCheck.h"
#include "dash/async/Operation.h"
#include "teams/TeamLayout.h"
#include "teams/collectives/Reduction.h"

namespace dash::dart {

class RmaDriver;

/// The part of a collective that the leaders of a team's nodes perform: point-to-point messages on one
/// communicator that all teams of the session share. The tag identifies the team, so that a team needs
/// no communicator.
///
/// Two leaders exchange messages in the same order at both ends, since the exchanges of one object
/// follow each other and MPI keeps the order of messages between two processes. Hence the messages of
/// one object need only one tag. All leaders call the same functions.
///
/// An exchange is a coroutine that starts messages and awaits their completion. With Waiting::blocking
/// it has ended when the call returns; with Waiting::polled the owner calls advance() until it is no
/// longer active. No call blocks inside MPI.
/// \threads externally synchronized
class LeaderExchange {
 public:
  enum class Waiting : std::uint8_t { blocking, polled };

  LeaderExchange(MPI_Comm comm, RmaDriver& driver, const TeamLayout& layout, int tag,
                 Waiting waiting) noexcept
      : _comm(comm), _driver(driver), _layout(layout), _tag(tag), _waiting(waiting) {}
  LeaderExchange(const LeaderExchange&) = delete;
  LeaderExchange& operator=(const LeaderExchange&) = delete;

  // The data has to stay valid until the exchange has ended. \pre no exchange is active
  void barrier() { start(barrier_steps()); }
  void bcast(void* data, std::size_t nbytes, int root_node) {
    start(bcast_steps(static_cast<char*>(data), nbytes, root_node));
  }
  /// Sends the data of each node to all nodes: `unit_bytes` for each of its units, in the order of
  /// the nodes. The data of the caller's node is in place.
  void allgather(char* data, std::size_t unit_bytes);
  /// Sends the data of each node to the root, in place.
  void gather(char* data, std::size_t unit_bytes, int root_node) {
    start(gather_steps(data, unit_bytes, root_node));
  }
  /// Each node receives its part of the root's data, in place.
  void scatter(char* data, std::size_t unit_bytes, int root_node) {
    start(scatter_steps(data, unit_bytes, root_node));
  }
  static constexpr int all_nodes = -1;
  /// data = the combination of the data of all leaders in the order of their nodes, with the same bits
  /// on all.
  /// \param to_node  the node that needs the result, or all_nodes; `data` of others is unspecified
  ///                 then
  void allreduce(char* data, std::size_t nelem, const Reduction& reduction, int to_node);
  /// Sends to one node and receives from another.
  void sendrecv(int to_node, const char* send, std::size_t send_bytes, int from_node, char* recv,
                std::size_t recv_bytes) {
    start(sendrecv_steps(to_node, send, send_bytes, from_node, recv, recv_bytes));
  }

  bool is_active() const noexcept { return static_cast<bool>(_coroutine); }
  /// Resumes the active exchange if the messages that it awaits are complete.
  /// \returns whether it was resumed
  /// \throws the failure of the exchange, which has ended then
  bool advance();

 private:
  struct Halving;
  /// The coroutine of an exchange. It runs only when resume() is called.
  class [[nodiscard]] Coroutine {
   public:
    struct promise_type {
      std::exception_ptr error;

      /// The exchange owns the memory of the frame: one frame at a time, so that it needs no
      /// allocation.
      template <class... Args>
      static void* operator new(std::size_t nbytes, LeaderExchange& exchange,
                                const Args&... /*args*/) {
        return exchange.frame_memory(nbytes);
      }
      static void operator delete(void* /*frame*/, std::size_t /*nbytes*/) noexcept {}

      Coroutine get_return_object() noexcept {
        return Coroutine(std::coroutine_handle<promise_type>::from_promise(*this));
      }
      std::suspend_always initial_suspend() const noexcept { return {}; }
      std::suspend_always final_suspend() const noexcept { return {}; }
      void return_void() const noexcept {}
      void unhandled_exception() noexcept { error = std::current_exception(); }
    };

    Coroutine() noexcept = default;
    Coroutine(Coroutine&& other) noexcept : _handle(std::exchange(other._handle, nullptr)) {}
    Coroutine& operator=(Coroutine&& other) noexcept {
      std::swap(_handle, other._handle);
      return *this;
    }
    Coroutine(const Coroutine&) = delete;
    Coroutine& operator=(const Coroutine&) = delete;
    ~Coroutine() { reset(); }

    explicit operator bool() const noexcept { return static_cast<bool>(_handle); }

    /// Runs to the next suspension or to the end, after which no frame is left.
    /// \throws what the coroutine threw
    void resume();

   private:
    explicit Coroutine(std::coroutine_handle<promise_type> handle) noexcept : _handle(handle) {}
    void reset() noexcept {
      if (_handle) std::exchange(_handle, nullptr).destroy();
    }
    std::coroutine_handle<promise_type> _handle;
  };

  /// Awaits the messages that were started since the last wait.
  struct Completion {
    LeaderExchange& exchange;
    bool await_ready() const { return exchange.begin_waiting(); }
    void await_suspend(std::coroutine_handle<> /*coroutine*/) const noexcept {}
    void await_resume() const { exchange.end_waiting(); }
  };

  Coroutine barrier_steps();
  Coroutine bcast_steps(char* data, std::size_t nbytes, int root_node);
  Coroutine direct_allgather_steps(char* data, std::size_t unit_bytes);
  Coroutine ring_allgather_steps(char* data, std::size_t unit_bytes);
  Coroutine gather_steps(char* data, std::size_t unit_bytes, int root_node);
  Coroutine scatter_steps(char* data, std::size_t unit_bytes, int root_node);
  Coroutine doubling_steps(char* data, char* scratch, std::size_t nelem, Reduction reduction);
  Coroutine halving_steps(char* data, char* scratch, std::size_t nelem, Reduction reduction,
                          int to_node);
  Coroutine sendrecv_steps(int to_node, const char* send, std::size_t send_bytes, int from_node,
                           char* recv, std::size_t recv_bytes);

  void* frame_memory(std::size_t nbytes);
  char* scratch_memory(std::size_t nbytes);
  void start(Coroutine coroutine);
  Completion completion() noexcept { return {*this}; }
  bool begin_waiting();
  void end_waiting();
  bool has_incomplete_message() const noexcept;

  int my_node() const noexcept { return _layout.node; }
  int nnodes() const noexcept { return _layout.nnodes(); }
  /// The node `distance` after the caller's, cyclically. \pre |distance| <= nnodes()
  int node_at(int distance) const noexcept { return (my_node() + distance + nnodes()) % nnodes(); }
  std::size_t node_bytes(int node, std::size_t unit_bytes) const noexcept;
  char* data_of(int node, char* data, std::size_t unit_bytes) const noexcept;
  int leader(int node) const noexcept { return _layout.leaders[static_cast<std::size_t>(node)]; }
  void add_message(MPI_Request request, int peer);
  void send(int node, const void* data, std::size_t nbytes);
  void receive(int node, void* data, std::size_t nbytes);
  void send_node(int to_node, int node, char* data, std::size_t unit_bytes);
  void receive_node(int from_node, int node, char* data, std::size_t unit_bytes);

  MPI_Comm _comm;
  RmaDriver& _driver;
  const TeamLayout& _layout;
  int _tag;
  Waiting _waiting;
  std::vector<MPI_Request> _started;  // messages of a blocking exchange that are not awaited yet
  int _peer = no_peer;  // the unit at their other ends, or no_peer if there are several
  std::vector<exec::Operation> _awaited;  // messages of a polled exchange
  // Memory that exchanges use in turn.
  std::unique_ptr<char[]> _frame;
  std::size_t _frame_bytes = 0;
  std::unique_ptr<char[]> _scratch;
  std::size_t _scratch_bytes = 0;
  Coroutine _coroutine;
};

}  // namespace dash::dart
