#include "dash/async/SharedWord.h"

#include "dash/core/Futex.h"
#include "dash/core/OtherProcesses.h"

namespace dash::exec {

void SharedWord::publish(std::uint32_t new_value) noexcept {
  core::before_other_processes();
  core::after_other_processes();
  value.store(new_value, std::memory_order_seq_cst);
  wake();
}

void SharedWord::wake() noexcept {
  if (sleepers.load(std::memory_order_seq_cst) != 0) core::futex_wake(value, INT32_MAX, true);
}

}  // namespace dash::exec
