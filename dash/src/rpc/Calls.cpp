#include "dash/rpc/Calls.h"

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <utility>

#include "dash/DistObject.h"
#include "dash/Exception.h"
#include "dash/Rpc.h"
#include "dash/async/Engine.h"
#include "dash/async/PollContext.h"
#include "dash/async/Watch.h"
#include "dash/core/Log.h"
#include "dash/core/Pooled.h"
#include "dash/core/Trace.h"
#include "dash/dart/if/dart.h"
#include "rpc/BatchRegistry.h"
#include "rpc/CallCounts.h"
#include "rpc/CallErrors.h"

namespace dash::internal {

namespace {

/// Executes a call of dash::am. \returns as ReceivedCall::execute()
std::optional<ObjectKey> execute_handler(ReceivedCall& call) {
  std::optional<ObjectKey> missing;
  run_handler(call.header().team, [&] { missing = call.execute(); });
  return missing;
}

bool exists(exec::JobTag team) {
  return Team::exists(static_cast<dart_team_t>(team));
}

void wait_for_team(exec::JobTag team) {
  const exec::Purpose purpose("the creation of team {}, to which a remote call belongs", team);
  exec::Engine::instance().wait_until([team] { return exists(team); });
}

/// A call that runs as a task.
class CallJob final : public exec::Job, public core::Pooled {
 public:
  CallJob(const CallHeader& header, dart::IncomingMessage message) noexcept
      : Job(header.priority, header.team), _call(std::move(message)) {}

  void run() noexcept override {
    // Other members of a team may have created it earlier, and call this unit already.
    if (!exists(tag())) {
      _call.make_message_private();
      wait_for_team(tag());
    }
    while (const std::optional<ObjectKey> missing = execute()) {
      _call.make_message_private();
      wait_for_object(*missing);
    }
    delete this;
  }

 private:
  std::optional<ObjectKey> execute() noexcept {
    return _call.header().kind == CallKind::handler ? execute_handler(_call) : _call.execute();
  }

  ReceivedCall _call;
};

void submit(const CallHeader& header, dart::IncomingMessage message) {
  exec::announce_job();
  exec::submit_job(*new CallJob(header, std::move(message)));
}

/// Reads the header of a message.
CallHeader header_of(const dart::IncomingMessage& message) noexcept {
  CallHeader header;
  std::memcpy(&header, message.bytes().data(), sizeof header);
  return header;
}

void receive_reply(const CallHeader& header, const dart::IncomingMessage& message) noexcept {
  auto* const pending = reinterpret_cast<PendingReply*>(header.token);
  InputArchive archive(message.bytes());
  const exec::PollScope scope;
  try {
    archive.take(sizeof header);
    if (header.kind == CallKind::value) {
      pending->take_result(archive);
    } else {
      CallError error;
      archive(error.type, error.text);
      pending->fail_call(make_error(error, message.source()));
    }
  } catch (...) {
    pending->fail_call(std::current_exception());
  }
  CallCounts& counts = CallCounts::of_team(header.team);
  counts.count_ended();
  counts.end_unfinished();
}

/// Handles a message of another unit, or of this one.
void receive(dart::IncomingMessage message) noexcept {
  if (message.bytes().size() < sizeof(CallHeader)) {
    core::log(core::LogLevel::error,
              fmt::format("a message of unit {} has {} bytes and is dropped; the header of a call "
                          "has {}",
                          message.source(), message.bytes().size(), sizeof(CallHeader)));
    return;
  }
  const CallHeader header = header_of(message);
  if (header.kind == CallKind::value || header.kind == CallKind::error)
    return receive_reply(header, message);
  CallCounts::of_team(header.team).begin_unfinished();
  // A function that the unit calls itself would run in the middle of the calling function.
  if (header.kind == CallKind::task || message.source() == Team::GlobalUnitID().id ||
      !exists(header.team)) {
    submit(header, std::move(message));
    return;
  }
  ReceivedCall call(std::move(message));
  if (execute_handler(call)) submit(header, call.take_message());
}

/// Sends a message that consists of a header and what `write` writes.
void send_message(int unit, dart::MessageRole role, const CallHeader& header, std::size_t nbytes,
                  exec::FunctionRef<void(OutputArchive&)> write) {
  dart::OutgoingMessage message(unit, sizeof header + nbytes, role);
  OutputArchive archive(message.bytes());
  archive.write(&header, sizeof header);
  write(archive);
  check_written(archive.position(), sizeof header + nbytes);
  message.send();
}

const Team& team_of_calls(exec::JobTag team) {
  return team == DART_TEAM_ALL ? Team::All() : Team::Get(static_cast<dart_team_t>(team));
}

}  // namespace

ReceivedCall::ReceivedCall(dart::IncomingMessage message) noexcept
    : _message(std::move(message)),
      _header(header_of(_message)),
      _arguments({}),
      _source(_message.source()) {
  read_arguments_again();
}

void ReceivedCall::read_arguments_again() noexcept {
  _arguments = InputArchive(_message.bytes());
  _arguments.take(sizeof _header);
}

void ReceivedCall::make_message_private() {
  _message.make_private();
  read_arguments_again();
}

std::optional<ObjectKey> ReceivedCall::execute() noexcept {
  const core::TraceSpan span(core::TraceKind::task, "remote call");
  try {
    reinterpret_cast<CallFunction>(find_function(_header.function))(*this);
  } catch (const MissingObject& missing) {
    read_arguments_again();
    return missing.key;
  } catch (...) {
    fail(std::current_exception());
  }
  _message.release();
  // A call with a reply ends at its caller.
  CallCounts& counts = CallCounts::of_team(_header.team);
  if (_header.token == 0) counts.count_ended();
  counts.end_unfinished();
  return std::nullopt;
}

void ReceivedCall::send_reply(CallKind kind, std::size_t nbytes,
                              exec::FunctionRef<void(OutputArchive&)> write) {
  if (_header.token == 0) return;
  CallHeader header;
  header.token = _header.token;
  header.team = _header.team;
  header.kind = kind;
  send_message(_source, dart::MessageRole::reply, header, nbytes, write);
}

void ReceivedCall::fail(const std::exception_ptr& error) noexcept {
  CallError described;
  try {
    described = describe_error(error);
    if (_header.token != 0) {
      const auto write = [&](OutputArchive& archive) { archive(described.type, described.text); };
      return send_reply(CallKind::error, count_bytes(write), write);
    }
  } catch (const std::exception& failure) {
    // Without a reply, the caller would wait forever.
    core::log(
        core::LogLevel::error,
        fmt::format("the reply to a call of unit {} cannot be sent: {}", _source, failure.what()));
    if (_header.token != 0) dart_abort(DART_EXIT_ABORT);
  }
  core::log(core::LogLevel::error,
            fmt::format("a function that unit {} has called without a reply has failed: {}",
                        _source, described.text));
  CallCounts::of_team(_header.team).set_error(error);
}

void send_call(const CallTarget& target, const FunctionId& function, PendingReply* reply,
               std::size_t nbytes, exec::FunctionRef<void(OutputArchive&)> write) {
  CallHeader header;
  header.function = function;
  header.token = reinterpret_cast<std::uint64_t>(reply);
  header.team = target.team;
  header.kind = target.kind;
  header.priority = target.priority;
  CallCounts& counts = CallCounts::of_team(target.team);
  counts.count_sent();
  if (reply != nullptr) counts.begin_unfinished();
  try {
    const auto role = reply != nullptr ? dart::MessageRole::request : dart::MessageRole::one_way;
    send_message(target.unit, role, header, nbytes, write);
  } catch (...) {
    counts.count_ended();
    if (reply != nullptr) {
      counts.end_unfinished();
      reply->fail_call(std::current_exception());
    }
    throw;
  }
}

void check_written(std::size_t written, std::size_t counted) {
  if (written == counted) return;
  throw exception::RuntimeError(
      fmt::format("a serialization function has written {} bytes, and {} when it was called to "
                  "count them; it must write the same each time",
                  written, counted));
}

void accept_calls() {
  Team::set_end_hook([](dart_team_t team) {
    if (CallCounts* const counts = CallCounts::find(team)) counts->reset();
    forget_objects(team);
  });
  dart::set_message_batches(open_batches());
  dart::set_message_receiver(receive);
}

void run_handler(exec::JobTag team, exec::FunctionRef<void()> function) {
  static auto* const mutex = new std::mutex();
  const std::lock_guard lock(*mutex);
  const exec::PollScope scope;
  const exec::JobTagScope tag(team);
  function();
}

CallTarget call_target(const CallUnit& unit, const CallTarget& options) {
  if (!dart_initialized()) {
    throw exception::RuntimeError(
        "a remote procedure call needs the runtime; call it between dash::init and dash::finalize");
  }
  const Team& team = team_of_calls(options.team);
  CallTarget target = options;
  if (!unit.is_global()) {
    if (unit.id() < 0 || static_cast<std::size_t>(unit.id()) >= team.size()) {
      throw exception::InvalidArgument(
          fmt::format("a call to unit {} of a team of {} units; expected 0 to {}", unit.id(),
                      team.size(), static_cast<long>(team.size()) - 1));
    }
    target.unit = team.is_all() ? unit.id() : team.global_id(team_unit_t(unit.id())).id;
    return target;
  }
  if (team.relative_id(global_unit_t(unit.id())) < 0) {
    throw exception::InvalidArgument(fmt::format(
        "a call to unit {}, which does not belong to the team of the call, of {} units; name the "
        "team with dash::on()",
        unit.id(), team.size()));
  }
  target.unit = unit.id();
  return target;
}

global_unit_t owner_of(const dart_gptr_t& gptr) {
  return Team::Get(static_cast<dart_team_t>(gptr.teamid)).global_id(team_unit_t(gptr.unitid));
}

void* local_address(const dart_gptr_t& gptr, std::size_t nbytes) {
  void* address = nullptr;
  if (dart_gptr_getaddr(gptr, &address) != DART_OK || address == nullptr) {
    throw exception::InvalidArgument(
        fmt::format("the {} bytes at a global pointer do not belong to this unit", nbytes));
  }
  return address;
}

}  // namespace dash::internal
