#include "network/rma/RequestTable.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>

#include "base/MpiCheck.h"

namespace dash::dart {

namespace {

/// After this many tests that found nothing, the requests are likely to take long. Then only every
/// fourth poll tests them, because a test doubles the time of a poll.
constexpr std::uint64_t max_fruitless_tests = 256;
constexpr std::uint64_t slow_test_period = 4;

}  // namespace

/// The lock orders the entries and the stores to these counters.
/// \pre the submit lock is held
void RequestTable::count_added(std::size_t parts) noexcept {
  _added.store(_added.load(std::memory_order_relaxed) + parts, std::memory_order_release);
}

void RequestTable::add(MPI_Request request, Request& owner) {
  std::lock_guard lock(_submit_lock);
  _submitted.push_back({request, &owner});
  _num_submitted.store(_submitted.size() + _submitted_messages.size(), std::memory_order_release);
  count_added(1);
}

void RequestTable::add(ExpectedMessage& message) {
  std::lock_guard lock(_submit_lock);
  _submitted_messages.push_back(&message);
  _num_submitted.store(_submitted.size() + _submitted_messages.size(), std::memory_order_release);
  count_added(1);
}

/// The entry of the target, or null. \pre the caller holds the lock
RequestTable::UnacknowledgedPuts* RequestTable::find_unacknowledged(
    const RemoteAddress& dest) noexcept {
  const auto found = std::find_if(
      _unacknowledged.begin(), _unacknowledged.end(), [&](const UnacknowledgedPuts& puts) {
        return puts.dest.unit == dest.unit && puts.dest.window == dest.window;
      });
  return found == _unacknowledged.end() ? nullptr : &*found;
}

bool RequestTable::record_put(const RemoteAddress& dest) {
  std::lock_guard lock(_submit_lock);
  if (find_unacknowledged(dest) != nullptr) return false;
  _unacknowledged.push_back({nullptr, dest});
  _num_unacknowledged.store(_unacknowledged.size(), std::memory_order_release);
  return true;
}

void RequestTable::add_put(MPI_Request request, Request& owner, const RemoteAddress& dest) {
  std::lock_guard lock(_submit_lock);
  _submitted.push_back({request, &owner});
  _num_submitted.store(_submitted.size() + _submitted_messages.size(), std::memory_order_release);
  count_added(2);
  // Release: a thread that reads the number with acquire also reads the parts in _added.
  _puts.store(_puts.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  UnacknowledgedPuts* const puts = find_unacknowledged(dest);
  owner.next_unacknowledged = puts == nullptr ? nullptr : puts->first;
  if (puts != nullptr) {
    *puts = {&owner, dest};
    return;
  }
  _unacknowledged.push_back({&owner, dest});
  _num_unacknowledged.store(_unacknowledged.size(), std::memory_order_release);
}

bool RequestTable::take_unacknowledged_puts(UnacknowledgedPuts& puts) {
  if (_num_unacknowledged.load(std::memory_order_acquire) == 0) return false;
  std::lock_guard lock(_submit_lock);
  puts.first = nullptr;
  while (puts.first == nullptr && !_unacknowledged.empty()) {
    puts = _unacknowledged.back();
    _unacknowledged.pop_back();
  }
  _num_unacknowledged.store(_unacknowledged.size(), std::memory_order_relaxed);
  return puts.first != nullptr;
}

void RequestTable::expect_replies(std::size_t parts) noexcept {
  std::lock_guard lock(_submit_lock);
  count_added(parts);
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
  _expected.insert(_expected.end(), _submitted_messages.begin(), _submitted_messages.end());
  _submitted_messages.clear();
  _num_submitted.store(0, std::memory_order_relaxed);
}

/// Starts to receive expected messages that have arrived, in the order in which they were added.
void RequestTable::receive_arrived() {
  std::erase_if(_expected, [this](ExpectedMessage* message) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (!message->arrived(request)) return false;
    _requests.push_back(request);
    _owners.push_back(&message->owner());
    return true;
  });
}

void RequestTable::test(FinishedParts& finished) {
  take_submitted();
  if (!_expected.empty()) receive_arrived();
  if (_requests.empty()) return;
  if (_fruitless_tests > max_fruitless_tests && ++_fruitless_tests % slow_test_period != 0) return;
  if (_cursor >= _requests.size()) _cursor = 0;
  const std::size_t begin = _cursor;
  const std::size_t count = std::min(batch, _requests.size() - begin);
  std::array<int, batch> indices;
  std::array<MPI_Status, batch> statuses;
  int completed = 0;
  const int code = MPI_Testsome(static_cast<int>(count), _requests.data() + begin, &completed,
                                indices.data(), statuses.data());
  if (code == MPI_ERR_IN_STATUS) [[unlikely]] {
    for (std::size_t i = 0; i < static_cast<std::size_t>(completed); ++i) {
      const Request& owner = *_owners[begin + static_cast<std::size_t>(indices[i])];
      check_mpi(statuses[i].MPI_ERROR, "an operation of MPI in flight", owner.peer());
    }
  }
  check_mpi(code, "MPI_Testsome");
  const auto num_finished = static_cast<std::size_t>(std::max(completed, 0));
  _fruitless_tests = num_finished == 0 ? _fruitless_tests + 1 : 0;
  for (std::size_t i = 0; i < num_finished; ++i) {
    finished.add(*_owners[begin + static_cast<std::size_t>(indices[i])]);
  }
  // Fill the gaps from the highest index down, so that the remaining indices stay valid.
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
