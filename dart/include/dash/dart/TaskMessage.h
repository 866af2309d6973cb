#pragma once

/// \file
/// Messages of any size that a function of the receiving unit handles: the transport of remote procedure calls.
/// Within a node they pass through shared memory, between nodes they are messages of MPI. Internal to the library.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "dash/core/Export.h"

namespace dash::dart {

/// What a message is for.
enum class MessageRole : std::uint8_t {
  one_way,  ///< the sender expects no reply
  request,  ///< the sender expects a reply
  reply
};

class TaskMessages;

/// A message that has arrived. Its bytes are aligned to 16. The destructor gives the memory back, possibly to the
/// sender, which then may send more.
class DASH_API IncomingMessage {
 public:
  IncomingMessage() noexcept = default;
  IncomingMessage(IncomingMessage&& other) noexcept
      : _owner(std::exchange(other._owner, nullptr)),
        _data(other._data),
        _nbytes(other._nbytes),
        _block(other._block),
        _token(other._token),
        _source(other._source) {}
  IncomingMessage& operator=(IncomingMessage&&) = delete;
  ~IncomingMessage() { release(); }

  /// Global id of the sender.
  int source() const noexcept { return _source; }
  std::span<const std::byte> bytes() const noexcept { return {_data, _nbytes}; }
  /// Gives the memory back before the destructor does. bytes() must not be used afterwards.
  void release() noexcept;
  /// Copies the bytes, if there is memory, and gives that of the sender back. To be called before a wait: senders whose
  /// memory waiting tasks keep might wait for each other.
  void make_private() noexcept;

 private:
  friend class TaskMessages;
  TaskMessages* _owner = nullptr;
  std::byte* _data = nullptr;
  std::size_t _nbytes = 0;
  void* _block = nullptr;    // in the sender's heap; null: the data is an array of this process
  std::uint64_t _token = 0;  // of the sender's request for an acknowledgement; 0: none
  int _source = -1;
};

/// A message in preparation: memory that the sender fills.
class DASH_API OutgoingMessage {
 public:
  /// Reserves memory, aligned to 16, for a message. If too much data of this unit is in flight, waits until receivers
  /// have consumed some of it, unless the message is a reply or the caller must not wait.
  /// \param unit  global id
  OutgoingMessage(int unit, std::size_t nbytes, MessageRole role);
  OutgoingMessage(const OutgoingMessage&) = delete;
  OutgoingMessage& operator=(const OutgoingMessage&) = delete;
  /// A message that has not been sent is discarded.
  ~OutgoingMessage();

  std::span<std::byte> bytes() const noexcept { return {_data, _nbytes}; }
  /// Makes the message shorter. \pre nbytes <= bytes().size()
  void shrink(std::size_t nbytes) noexcept { _nbytes = nbytes; }
  /// Sends the message; the object must not be used afterwards.
  /// \blocks never
  void send();

 private:
  friend class TaskMessages;
  TaskMessages* _owner = nullptr;
  std::byte* _data = nullptr;
  std::size_t _nbytes = 0;
  void* _block = nullptr;    // shared memory of this unit
  void* _message = nullptr;  // an active message that contains the data
  int _unit = -1;
  MessageRole _role = MessageRole::one_way;
};

/// Handles a message, on the thread that polls, which may be the progress thread, without locks of the library. It must
/// not wait.
using MessageReceiver = void (*)(IncomingMessage message) noexcept;

/// Sets the function that handles the messages of all units. Messages that arrive before are kept.
/// \pre dart_initialized()
DASH_API void set_message_receiver(MessageReceiver receiver);

/// Messages that are filled over time, and that a thread has to send if the application does not.
/// \threads thread-safe
class DASH_API MessageBatches {
 public:
  virtual bool empty() const noexcept = 0;
  /// Sends the messages; those that are not old only if a caller waits.
  /// \returns whether it has sent any   \blocks never
  virtual bool flush(bool caller_waits) noexcept = 0;

 protected:
  ~MessageBatches() = default;
};

/// Sets the object whose messages are sent by threads that poll. \pre dart_initialized()
DASH_API void set_message_batches(MessageBatches& batches);

}  // namespace dash::dart
