#include "MpiMessages.h"

#include <sched.h>

#include <algorithm>

#include "support/MpiWait.h"

namespace uts {

namespace {

int bytes_of(std::size_t nodes) {
  return static_cast<int>(nodes * sizeof(Node));
}

}  // namespace

MpiMessages::MpiMessages(std::size_t chunk, std::size_t capacity)
    : _chunk(chunk), _sent(capacity), _received(capacity) {
  MPI_Comm_dup(MPI_COMM_WORLD, &_communicator);
  MPI_Comm_rank(_communicator, &_unit);
  MPI_Comm_size(_communicator, &_units);
  _random.seed(static_cast<unsigned>(_unit) + 1);
}

MpiMessages::~MpiMessages() {
  wait_for_send();
  MPI_Comm_free(&_communicator);
}

void MpiMessages::reset() {
  _has_token = _unit == 0;
  _is_first_round = true;
  _token_is_black = false;
  _is_black = false;
  activity = {};
}

bool MpiMessages::has_arrived(Tag tag, MPI_Status& status) const {
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, _communicator, &flag, &status);
  return flag != 0;
}

void MpiMessages::wait_for_send() {
  if (_send != MPI_REQUEST_NULL) kernels::wait_yielding(_send);
}

void MpiMessages::answer_requests(NodeStack& stack) {
  MPI_Status status;
  while (has_arrived(request, status)) {
    MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, request, _communicator, MPI_STATUS_IGNORE);
    std::size_t count = 0;
    wait_for_send();
    if (stack.size() >= 2 * _chunk) {
      count = std::min(stack.size() / 2, _sent.size());
      stack.take_oldest(count, _sent.data());
      _is_black = true;
    }
    MPI_Isend(_sent.data(), bytes_of(count), MPI_BYTE, status.MPI_SOURCE, answer, _communicator,
              &_send);
  }
}

/// Requests nodes from another unit, and answers requests until its answer arrives. A unit that waits for an
/// answer keeps the token, so that the token never overtakes nodes.
bool MpiMessages::steal(NodeStack& stack) {
  const auto others = static_cast<unsigned>(_units - 1);
  const int unit = (_unit + 1 + static_cast<int>(_random() % others)) % _units;
  MPI_Send(nullptr, 0, MPI_BYTE, unit, request, _communicator);
  MPI_Request receive = MPI_REQUEST_NULL;
  MPI_Irecv(_received.data(), bytes_of(_received.size()), MPI_BYTE, unit, answer, _communicator,
            &receive);
  MPI_Status status;
  for (int done = 0;;) {
    MPI_Test(&receive, &done, &status);
    if (done != 0) break;
    answer_requests(stack);
    if (kernels::is_oversubscribed()) sched_yield();
  }
  int nbytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &nbytes);
  const std::size_t count = static_cast<std::size_t>(nbytes) / sizeof(Node);
  if (count == 0) return false;
  stack.push(_received.data(), count);
  ++activity.steals;
  activity.stolen_nodes += count;
  return true;
}

/// \pre this unit has no nodes and waits for no answer
/// \returns whether the search has ended
bool MpiMessages::pass_token() {
  MPI_Status status;
  if (!_has_token && has_arrived(token, status)) {
    int is_black = 0;
    MPI_Recv(&is_black, 1, MPI_INT, status.MPI_SOURCE, token, _communicator, MPI_STATUS_IGNORE);
    _has_token = true;
    _token_is_black = is_black != 0;
  }
  if (!_has_token) return false;
  if (_unit == 0) {
    if (!_is_first_round && !_token_is_black && !_is_black) return true;
    _is_first_round = false;
    _token_is_black = false;
  }
  const int is_black = _token_is_black || (_unit != 0 && _is_black) ? 1 : 0;
  MPI_Send(&is_black, 1, MPI_INT, (_unit + 1) % _units, token, _communicator);
  _has_token = false;
  _is_black = false;
  return false;
}

bool MpiMessages::refill(NodeStack& stack) {
  if (_units == 1) return false;
  while (!steal(stack)) {
    answer_requests(stack);
    MPI_Status status;
    bool has_ended = pass_token();
    if (has_ended) {
      for (int unit = 1; unit < _units; ++unit)
        MPI_Send(nullptr, 0, MPI_BYTE, unit, end, _communicator);
    } else if (has_arrived(end, status)) {
      MPI_Recv(nullptr, 0, MPI_BYTE, 0, end, _communicator, MPI_STATUS_IGNORE);
      has_ended = true;
    }
    if (has_ended) {
      finish(stack);
      return false;
    }
    if (kernels::is_oversubscribed()) sched_yield();
  }
  return true;
}

/// Answers requests until all units have received their last answer.
void MpiMessages::finish(NodeStack& stack) {
  MPI_Request barrier = MPI_REQUEST_NULL;
  MPI_Ibarrier(_communicator, &barrier);
  for (int done = 0; done == 0;) {
    answer_requests(stack);
    MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    if (kernels::is_oversubscribed()) sched_yield();
  }
  wait_for_send();
}

}  // namespace uts
