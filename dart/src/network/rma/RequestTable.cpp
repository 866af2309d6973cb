#include "network/rma/RequestTable.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>

#include "base/MpiCheck.h"

namespace dash::dart {

std::exception_ptr mpi_failure(int code) noexcept {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  try {
    if (kind == MPI_ERR_TRUNCATE) {
      throw_error(DART_ERR_INVAL, "the message is longer than its receiver's buffer; it is lost");
    }
    check_mpi(code, "an operation of MPI in flight");
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

namespace {

/// After so many tests that found nothing, what is in flight will take long: a test of it makes a
/// poll for the sake of others twice as long, and every fourth poll does.
constexpr std::uint64_t patience = 256;
constexpr std::uint64_t rarely = 4;

}  // namespace

void RequestTable::add(MPI_Request request, Request& owner) {
  std::lock_guard lock(_submit_lock);
  _submitted.push_back({request, &owner});
  _num_submitted.store(_submitted.size() + _submitted_awaited.size(), std::memory_order_release);
  _added.store(_added.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void RequestTable::add(ExpectedMessage& awaited) {
  std::lock_guard lock(_submit_lock);
  _submitted_awaited.push_back(&awaited);
  _num_submitted.store(_submitted.size() + _submitted_awaited.size(), std::memory_order_release);
  _added.store(_added.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void RequestTable::add_put(MPI_Request request, Request& owner, const RemoteAddress& dest) {
  std::lock_guard lock(_submit_lock);
  _submitted.push_back({request, &owner});
  _num_submitted.store(_submitted.size() + _submitted_awaited.size(), std::memory_order_release);
  _added.store(_added.load(std::memory_order_relaxed) + 2, std::memory_order_release);
  _puts.store(_puts.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  for (Unconfirmed& puts : _unconfirmed) {
    if (puts.dest.unit != dest.unit || puts.dest.window != dest.window) continue;
    owner.next_unconfirmed = puts.first;
    puts = {&owner, dest};
    return;
  }
  owner.next_unconfirmed = nullptr;
  _unconfirmed.push_back({&owner, dest});
  _num_unconfirmed.store(_unconfirmed.size(), std::memory_order_release);
}

bool RequestTable::take_unconfirmed(Unconfirmed& puts) {
  if (_num_unconfirmed.load(std::memory_order_acquire) == 0) return false;
  std::lock_guard lock(_submit_lock);
  if (_unconfirmed.empty()) return false;
  puts = _unconfirmed.back();
  _unconfirmed.pop_back();
  _num_unconfirmed.store(_unconfirmed.size(), std::memory_order_relaxed);
  return true;
}

void RequestTable::expect_answers(std::size_t parts) noexcept {
  std::lock_guard lock(_submit_lock);
  _added.store(_added.load(std::memory_order_relaxed) + parts, std::memory_order_release);
}

void RequestTable::take_submitted() {
  if (_num_submitted.load(std::memory_order_acquire) == 0) return;
  _fruitless_tests = 0;
  std::lock_guard lock(_submit_lock);
  for (const Entry& entry : _submitted) {
    _requests.push_back(entry.request);
    _owners.push_back(entry.owner);
  }
  _submitted.clear();
  _awaited.insert(_awaited.end(), _submitted_awaited.begin(), _submitted_awaited.end());
  _submitted_awaited.clear();
  _num_submitted.store(0, std::memory_order_relaxed);
}

/// In the order in which they began to wait.
void RequestTable::look_for_awaited() {
  std::erase_if(_awaited, [this](ExpectedMessage* awaited) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (!awaited->arrived(request)) return false;
    _requests.push_back(request);
    _owners.push_back(&awaited->owner());
    return true;
  });
}

void RequestTable::test(FinishedParts& finished) {
  take_submitted();
  if (!_awaited.empty()) look_for_awaited();
  if (_requests.empty()) return;
  if (_fruitless_tests > patience && ++_fruitless_tests % rarely != 0) return;
  if (_cursor >= _requests.size()) _cursor = 0;
  const std::size_t begin = _cursor;
  const std::size_t count = std::min(batch, _requests.size() - begin);
  std::array<int, batch> indices;
  int completed = 0;
  check_mpi(MPI_Testsome(static_cast<int>(count), _requests.data() + begin, &completed,
                         indices.data(), MPI_STATUSES_IGNORE),
            "MPI_Testsome");
  const auto num_finished = static_cast<std::size_t>(std::max(completed, 0));
  _fruitless_tests = num_finished == 0 ? _fruitless_tests + 1 : 0;
  for (std::size_t i = 0; i < num_finished; ++i) {
    finished.add(*_owners[begin + static_cast<std::size_t>(indices[i])]);
  }
  // Close the gaps from behind, so that the indices still to come stay valid.
  std::sort(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(num_finished),
            std::greater<>());
  for (std::size_t i = 0; i < num_finished; ++i) {
    const std::size_t gap = begin + static_cast<std::size_t>(indices[i]);
    _requests[gap] = _requests.back();
    _owners[gap] = _owners.back();
    _requests.pop_back();
    _owners.pop_back();
  }
  _cursor = begin + count - num_finished;
}

}  // namespace dash::dart
