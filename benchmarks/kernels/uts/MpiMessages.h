#pragma once

#include <mpi.h>

#include <cstddef>
#include <random>
#include <vector>

#include "Search.h"

namespace uts {

/// Work stealing with two-sided messages, as in the MPI program of the benchmark: a unit without nodes sends
/// a request to another one, which answers with its oldest nodes or with none. A token on a ring detects the
/// end (Dijkstra, Feijen and van Gasteren, 1983).
class MpiMessages final : public Balancer {
 public:
  /// \param chunk     a unit gives nodes away only if it keeps at least this number
  /// \param capacity  largest number of nodes in an answer
  /// \collective
  MpiMessages(std::size_t chunk, std::size_t capacity);
  ~MpiMessages() override;

  void reset() override;
  void offer(NodeStack& stack) override { answer_requests(stack); }
  bool refill(NodeStack& stack) override;

 private:
  enum Tag { request, answer, token, end };

  void answer_requests(NodeStack& stack);
  bool steal(NodeStack& stack);
  bool pass_token();
  bool has_arrived(Tag tag, MPI_Status& status) const;
  void finish(NodeStack& stack);
  void wait_for_send();

  MPI_Comm _communicator = MPI_COMM_NULL;
  int _unit = 0;
  int _units = 1;
  std::size_t _chunk;
  std::vector<Node> _sent;  // the last answer
  MPI_Request _send = MPI_REQUEST_NULL;
  std::vector<Node> _received;
  bool _has_token = false;
  bool _is_first_round = true;  // of the token, at unit 0
  bool _token_is_black = false;
  bool _is_black = false;  // has given nodes away since it last passed the token
  std::minstd_rand _random;
};

}  // namespace uts
