#include "transfer/PendingOperations.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "network/rma/RmaDriver.h"
#include "dash/async/Engine.h"
#include "dash/async/Watch.h"
#include "dash/core/Pooled.h"

namespace dash::dart {

namespace {

/// Operations that a flush takes from the lists at a time.
constexpr std::size_t batch = 64;
/// Messages to a unit after which an answer is asked for although nobody flushes: with it they count as
/// being in flight, of which there is a limit.
constexpr std::uint32_t most_unanswered = 64;

/// The answer to a message that stands for others before it, which are in flight with it.
class Answer final : public Request {
 public:
  Answer(RmaDriver& driver, std::uint32_t messages)
      : Request(OnePart()), _driver(driver), _messages(messages) {
    source_done_with(all_parts);
    _driver.count_unanswered(_messages);
  }

 private:
  void finish() noexcept override { _driver.count_answered(_messages); }

  RmaDriver& _driver;
  std::uint32_t _messages;
};

}  // namespace

/// Keeps an operation in the lists until it is complete.
class PendingOperations::Following::Follower final : public exec::Continuation, public core::Pooled {
 public:
  Follower() noexcept : Continuation(Where::inline_) {}

  void run() noexcept override {
    entry.remove();
    delete this;
  }

  PendingOperations::Entry entry;
};

PendingOperations::Following::Following(PendingOperations& pending_operations)
    : _pending_operations(pending_operations), _follower(std::make_unique<Follower>()) {}

PendingOperations::Following::~Following() = default;

void PendingOperations::Following::add(const exec::Operation& operation, std::int16_t segment,
                                 std::int32_t unit) noexcept {
  if (operation.done()) return;
  Follower* const follower = _follower.release();  // which ends itself
  _pending_operations.add(follower->entry, *operation.state(), segment, unit);
  if (!operation.state()->attach(*follower)) follower->run();
}

std::size_t PendingOperations::list_of(std::int16_t segment, std::int32_t unit) noexcept {
  const std::uint32_t mixed =
      static_cast<std::uint32_t>(static_cast<std::uint16_t>(segment)) * 97U +
      static_cast<std::uint32_t>(unit);
  return mixed % num_lists;
}

void PendingOperations::add(Entry& entry, exec::State& state, std::int16_t segment,
                      std::int32_t unit) noexcept {
  entry._owner = this;
  entry._state = &state;
  entry._segment = segment;
  entry._unit = unit;
  Entry*& first = _lists[list_of(segment, unit)];
  std::lock_guard lock(_lock);
  entry._serial = _next_serial++;
  entry._next = first;
  if (first != nullptr) first->_previous = &entry;
  first = &entry;
  if (unit == any_unit) _of_any_unit.fetch_add(1, std::memory_order_release);
  _size.store(_size.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void PendingOperations::remove(Entry& entry) noexcept {
  std::lock_guard lock(_lock);
  if (entry._previous != nullptr) {
    entry._previous->_next = entry._next;
  } else {
    _lists[list_of(entry._segment, entry._unit)] = entry._next;
  }
  if (entry._next != nullptr) entry._next->_previous = entry._previous;
  if (entry._unit == any_unit) _of_any_unit.fetch_sub(1, std::memory_order_release);
  _size.store(_size.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

void PendingOperations::add_unanswered(std::int16_t segment, std::int32_t unit, int target) {
  if (_unanswered.add(segment, unit, target) < most_unanswered) return;
  ask_for_answers(
      [=](const UnacknowledgedMessages::Mark& mark) { return mark.segment == segment && mark.unit == unit; });
}

template <class Matches>
void PendingOperations::ask_for_answers(const Matches& matches) {
  if (_unanswered.empty()) return;
  exec::StatePtr<Answer> answer;
  int target = 0;
  const auto replace = [&](const UnacknowledgedMessages::Mark& mark) {
    answer = exec::StatePtr<Answer>::adopt(new Answer(_driver, mark.messages));
    target = mark.target;
    add(answer->pending_operations, *answer, mark.segment, mark.unit);
  };
  for (std::size_t list = 0; _unanswered.take(list, matches, replace);) {
    try {
      _driver.ask_for_answer(*answer, target);
    } catch (...) {
      answer->give_up();
      throw;
    }
  }
}

/// What is waited for leaves the lists, or matches no longer, so that the next batch begins where
/// they do. One that has failed does so, too, and its error comes when all others are complete.
template <class Matches, class Wait>
void PendingOperations::flush_matching(std::size_t first_list, std::size_t end_list, Matches matches,
                                 Wait wait) {
  if (size() == 0) return;
  std::array<exec::StatePtr<exec::State>, batch> waited;
  std::exception_ptr failure;
  std::uint64_t before = 0;
  {
    std::lock_guard lock(_lock);
    before = _next_serial;
  }
  for (std::size_t list = first_list; list < end_list;) {
    std::size_t count = 0;
    {
      std::lock_guard lock(_lock);
      for (; list < end_list; ++list) {
        for (Entry* entry = _lists[list]; entry != nullptr && count < batch; entry = entry->_next) {
          if (entry->_serial >= before || !matches(*entry)) continue;
          // In the list its producer has a reference yet.
          waited[count++] = exec::StatePtr<exec::State>::share(entry->_state);
        }
        if (count == batch) break;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      const exec::StatePtr<exec::State> state = std::exchange(waited[i], {});
      try {
        wait(state);
      } catch (...) {
        if (!state->done()) throw;  // it is the wait that is wrong
        if (!failure) failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

template <class Matches, class Wait>
void PendingOperations::flush_unit(std::int16_t segment, std::int32_t unit, Matches matches, Wait wait) {
  if (unit == any_unit) {
    flush_matching(
        0, num_lists,
        [=](const Entry& entry) { return entry._segment == segment && matches(*entry._state); },
        wait);
    return;
  }
  const auto flush_list = [&](std::int32_t listed) {
    const std::size_t list = list_of(segment, listed);
    flush_matching(
        list, list + 1,
        [=](const Entry& entry) {
          return entry._segment == segment && entry._unit == listed && matches(*entry._state);
        },
        wait);
  };
  flush_list(unit);
  if (_of_any_unit.load(std::memory_order_acquire) != 0) flush_list(any_unit);
}

namespace {

constexpr auto any = [](const exec::State&) { return true; };
constexpr auto wait_for = [](exec::StatePtr<exec::State> state) {
  exec::Operation(std::move(state)).wait();
};

}  // namespace

void PendingOperations::flush(std::int16_t segment, std::int32_t unit) {
  ask_for_answers([=](const UnacknowledgedMessages::Mark& mark) {
    return mark.segment == segment && (unit == any_unit || mark.unit == unit);
  });
  flush_unit(segment, unit, any, wait_for);
}

std::exception_ptr PendingOperations::try_flush(std::int16_t segment) noexcept {
  try {
    flush(segment, any_unit);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void PendingOperations::flush_local(std::int16_t segment, std::int32_t unit) {
  flush_unit(
      segment, unit, [](const exec::State& state) { return !state.source_done(); },
      [](const exec::StatePtr<exec::State>& state) {
        const exec::Activity activity(*state);
        exec::Engine::instance().wait_until([&] { return state->source_done(); });
      });
}

void PendingOperations::flush_all() {
  ask_for_answers([](const UnacknowledgedMessages::Mark&) { return true; });
  flush_matching(
      0, num_lists, [](const Entry&) { return true; }, wait_for);
}

exec::Operation PendingOperations::settled() {
  ask_for_answers([](const UnacknowledgedMessages::Mark&) { return true; });
  if (size() == 0) return {};
  std::vector<exec::Operation> operations;
  {
    const std::lock_guard lock(_lock);
    for (const Entry* entry : _lists) {
      for (; entry != nullptr; entry = entry->_next)
        operations.emplace_back(exec::StatePtr<exec::State>::share(entry->_state));
    }
  }
  return exec::when_all_settled(operations);
}

}  // namespace dash::dart
