#include <algorithm>
#include <exception>

#include "dash/Coarray.h"
#include "dash/Coevent.h"
#include "dash/Comutex.h"
#include "dash/Exception.h"
#include "dash/atomic/AtomicAccess.h"
#include "dash/coarray/Utils.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/element/SharedCell.h"

namespace dash {

namespace internal {

void throw_coarray_extents(std::size_t given, std::size_t rank, std::size_t fixed_extent) {
  if (fixed_extent != 0) {
    DASH_THROW(dash::exception::InvalidArgument, "dash::Coarray: an extent of "
                                                     << given << ", but the type fixes it to "
                                                     << fixed_extent);
  }
  DASH_THROW(dash::exception::InvalidArgument,
             "dash::Coarray: " << given << " extents; expected the first one, which is open in "
                               << "the type, or all " << rank);
}

}  // namespace internal

namespace coarray::internal {

namespace {

/// Tag of the messages of sync_images; applications are unlikely to use it.
constexpr int sync_tag = 0x5ca1;

}  // namespace

// Dissemination barrier: an image that has been notified, directly or indirectly, by all others
// knows that all have arrived. In round r, an image notifies the one at distance 2^r after it and
// is notified by the one at distance 2^r before it. An image sends another at most one message per
// call, so messages of successive calls arrive in order.
void sync_images(std::vector<int> images) {
  std::sort(images.begin(), images.end());
  images.erase(std::unique(images.begin(), images.end()), images.end());
  for (const int image : images) {
    if (image < 0 || image >= static_cast<int>(num_images())) {
      DASH_THROW(exception::InvalidArgument, "dash::coarray::sync_images: image "
                                                 << image << "; there are " << num_images()
                                                 << " images");
    }
  }
  const auto own = std::find(images.begin(), images.end(), this_image().id);
  if (own == images.end()) return;
  // Other units wait for this one, so it must continue even if one of its transfers has failed.
  std::exception_ptr failed_transfer;
  try {
    dart::complete_all();
  } catch (...) {
    failed_transfer = std::current_exception();
  }
  const auto n = static_cast<std::size_t>(images.size());
  const auto position = static_cast<std::size_t>(own - images.begin());
  for (std::size_t step = 1; step < n; step *= 2) {
    const char token = 0;
    char received = 0;
    const dart_global_unit_t to{images[(position + step) % n]};
    const dart_global_unit_t from{images[(position + n - step) % n]};
    dash::internal::check(dart_sendrecv(&token, 1, DART_TYPE_BYTE, sync_tag, to, &received, 1,
                                        DART_TYPE_BYTE, sync_tag, from),
                          "dash::coarray::sync_images");
  }
  if (failed_transfer) std::rethrow_exception(failed_transfer);
}

void check_master(const Team& team, team_unit_t master) {
  if (master >= 0 && master < team.size()) return;
  DASH_THROW(exception::InvalidArgument,
             "dash::coarray: master " << master << " is not a unit of " << team);
}

}  // namespace coarray::internal

Coevent::Coevent(Team& team) : _team(&team) {
  if (team.size() > 0) initialize(team);
}

bool Coevent::initialize(Team& team) {
  if (team.size() == 0) internal::throw_not_initialized("dash::Coevent::initialize");
  if (_counts && _counts->is_allocated()) return false;
  _team = &team;
  _counts = std::make_unique<SignalArray>(2, team);
  return true;
}

const SignalArray& Coevent::counts() const {
  if (!_counts || !_counts->is_allocated()) {
    internal::throw_not_initialized("dash::Coevent (call initialize())");
  }
  return *_counts;
}

void Coevent::wait(int count) {
  if (count < 0) {
    DASH_THROW(exception::InvalidArgument,
               "dash::Coevent::wait: " << count << " posts; expected at least 0");
  }
  const SignalArray& both = counts();
  const auto n = static_cast<signal_t>(count);
  // Claims `n` posts atomically, so that each of several waiting threads consumes different posts.
  both[posted].wait_until(both[consumed].add(n) + n);
}

int Coevent::test() const {
  return (*this)(_team->myid()).test();
}

coarray::CoEventRef Coevent::operator()(team_unit_t unit) const {
  const SignalArray& both = counts();
  return {both(unit, posted), both(unit, consumed), *_team};
}

namespace coarray {

void CoEventRef::post() const {
  dart::complete_all();
  _posted.add(1);
}

int CoEventRef::test() const {
  // Loads `consumed` first, so that concurrent posts can only increase the result. The loads are sequentially
  // consistent, so they keep this order. The difference may be negative, because wait() adds to `consumed` before it
  // waits for the posts.
  const auto used = dash::internal::atomic_load<signal_t>(_consumed.dart_gptr());
  const auto all = dash::internal::atomic_load<signal_t>(_posted.dart_gptr());
  return std::max(0, static_cast<int>(all - used));
}

}  // namespace coarray

Comutex::Comutex(Team& team) : _team(&team) {
  if (team.size() > 0) initialize(team);
}

bool Comutex::initialize(Team& team) {
  if (team.size() == 0) internal::throw_not_initialized("dash::Comutex::initialize");
  if (!_mutexes.empty() && _mutexes.front().is_initialized()) return false;
  _team = &team;
  _mutexes.clear();
  for (std::size_t i = 0; i < team.size(); ++i)
    _mutexes.emplace_back(team);
  return true;
}

Mutex& Comutex::operator()(team_unit_t unit) {
  if (unit < 0 || unit >= _mutexes.size()) {
    DASH_THROW(exception::InvalidArgument, "dash::Comutex: unit "
                                               << unit << " is not one of " << _mutexes.size()
                                               << " units with a mutex (created by initialize())");
  }
  return _mutexes[static_cast<std::size_t>(unit.id)];
}

}  // namespace dash
