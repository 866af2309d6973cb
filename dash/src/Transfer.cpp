#include "dash/internal/Transfer.h"

#include <algorithm>
#include <utility>

#include "dash/async/Engine.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/ElementAccess.h"

namespace dash::internal {

namespace {

/// Runs in flight at which a transfer that may block waits for some: MPICH takes 600 bytes each.
constexpr std::size_t max_in_flight = 2048;

}  // namespace

team_unit_t caller_id_of(const dart_gptr_t& gptr) noexcept {
  dart_team_unit_t myid;
  return dart_team_myid(gptr.teamid, &myid) == DART_OK ? team_unit_t(myid) : UNDEFINED_TEAM_UNIT_ID;
}

exec::Operation copy_bytes_async(void* dest, const void* src, std::size_t nbytes) {
  if (nbytes >= core::settings().copy_queue_min) {
    return exec::Engine::instance().copy_async(dest, src, nbytes);
  }
  std::memcpy(dest, src, nbytes);
  return {};
}

void settle(exec::Operation& operation) noexcept {
  try {
    operation.wait();
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is an exception on its way already
  }
}

Transfer::~Transfer() {
  for (exec::Operation& operation : _in_flight)
    settle(operation);
}

bool Transfer::is_plain(const dart_gptr_t& gptr) noexcept {
  if (_mode == Mode::blocking) return true;
  if (_myid == UNDEFINED_TEAM_UNIT_ID) _myid = caller_id_of(gptr);
  return gptr.unitid == _myid.id;
}

void Transfer::add(exec::Operation operation) {
  if (operation.done()) return;
  _in_flight.push_back(std::move(operation));
  if (_mode == Mode::blocking) limit_in_flight();
}

void Transfer::start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  if (is_plain(src)) {
    if (const void* address = dart::on_node_address(src, nbytes)) {
      core::count(core::OperationKind::get, core::OperationPath::memory, nbytes);
      _plain.push_back({dest, address, nbytes});
      return;
    }
  }
  add(dart::get_async(dest, src, nbytes));
}

void Transfer::start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  if (is_plain(dest)) {
    if (void* address = dart::on_node_address(dest, nbytes)) {
      core::count(core::OperationKind::put, core::OperationPath::memory, nbytes);
      _plain.push_back({address, src, nbytes});
      return;
    }
  }
  add(dart::put_async(dest, src, nbytes));
}

exec::Operation Transfer::finish() {
  for (const PlainCopy& plain : _plain)
    core::copy_bytes(plain.dest, plain.src, plain.nbytes);
  _plain.clear();
  exec::Operation all = exec::when_all(_in_flight);
  _in_flight.clear();
  return all;
}

void Transfer::limit_in_flight() {
  if (_in_flight.size() < max_in_flight) return;
  // The older half: the younger ones stay in flight meanwhile.
  const auto middle = _in_flight.begin() + static_cast<std::ptrdiff_t>(max_in_flight / 2);
  for (auto it = _in_flight.begin(); it != middle; ++it)
    it->wait();
  _in_flight.erase(_in_flight.begin(), middle);
}

}  // namespace dash::internal
