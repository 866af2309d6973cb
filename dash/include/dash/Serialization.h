#pragma once

/// \file
/// Serialization of the arguments and results of remote procedure calls; see docs/how-to/remote-calls.md.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "dash/Exception.h"
#include "dash/core/Export.h"
#include "dash/serialization/Traits.h"

namespace dash {

/// Writes values to memory. `archive(a, b)` and `archive & a & b` write the values one after the other.
///
/// Trivially copyable types are copied as bytes. Containers, strings, pairs, tuples, optional, variant and unique_ptr are
/// written element by element. Other types need a function in the protocol of the library cereal: a member
/// `template <class Archive> void serialize(Archive& archive)`, a function `serialize(archive, value)` in the namespace of
/// the type, or a pair `save` and `load`, each as a member or a function, also `save_minimal` and `load_minimal`. The
/// representation is that of the processor; it is not meant for files.
/// \threads externally synchronized per object
/// \ingroup rpc
class DASH_API OutputArchive {
 public:
  /// For generic serialization functions, as in cereal.
  using is_saving = std::true_type;
  /// For generic serialization functions, as in cereal.
  using is_loading = std::false_type;

  /// An archive that only counts the bytes.
  OutputArchive() noexcept = default;
  /// \param memory  aligned to 16 bytes
  explicit OutputArchive(std::span<std::byte> memory) noexcept
      : _begin(memory.data()), _nbytes(memory.size()) {}

  /// Writes values.
  /// \throws exception::RuntimeError if the memory is too small
  template <class... Ts>
  OutputArchive& operator()(const Ts&... values);
  /// Writes a value.
  template <class T>
  OutputArchive& operator&(const T& value) {
    return (*this)(value);
  }
  /// Writes a value.
  template <class T>
  OutputArchive& operator<<(const T& value) {
    return (*this)(value);
  }

  /// Writes bytes.
  /// \throws exception::RuntimeError if the memory is too small
  void write(const void* data, std::size_t nbytes) {
    if (_begin != nullptr) {
      if (nbytes > _nbytes - _position) throw_no_space(nbytes);
      if (nbytes != 0) std::memcpy(_begin + _position, data, nbytes);
    }
    _position += nbytes;
  }
  /// The same, as cereal names it.
  void saveBinary(const void* data, std::size_t nbytes) { write(data, nbytes); }
  /// Skips bytes, so that the next value is aligned. \param alignment  at most 16
  void align(std::size_t alignment) {
    static constexpr std::byte zeros[16]{};
    write(zeros, (alignment - _position % alignment) % alignment);
  }
  /// Number of bytes written.
  std::size_t position() const noexcept { return _position; }

 private:
  [[noreturn]] void throw_no_space(std::size_t nbytes) const;

  std::byte* _begin = nullptr;
  std::size_t _nbytes = 0;
  std::size_t _position = 0;
};

/// Reads values in the order in which an OutputArchive has written them. Types need a default constructor.
/// \threads externally synchronized per object
/// \ingroup rpc
class DASH_API InputArchive {
 public:
  /// For generic serialization functions, as in cereal.
  using is_saving = std::false_type;
  /// For generic serialization functions, as in cereal.
  using is_loading = std::true_type;

  /// \param memory  aligned to 16 bytes; must stay valid as long as views of it are used
  explicit InputArchive(std::span<const std::byte> memory) noexcept
      : _begin(memory.data()), _nbytes(memory.size()) {}

  /// Reads values.
  /// \throws exception::RuntimeError if the memory does not contain what is read
  template <class... Ts>
  InputArchive& operator()(Ts&&... values);
  /// Reads a value.
  template <class T>
  InputArchive& operator&(T&& value) {
    return (*this)(value);
  }
  /// Reads a value.
  template <class T>
  InputArchive& operator>>(T&& value) {
    return (*this)(value);
  }

  /// Reads bytes.
  /// \throws exception::RuntimeError if there are fewer
  void read(void* data, std::size_t nbytes) {
    const std::byte* const from = take(nbytes);
    if (nbytes != 0) std::memcpy(data, from, nbytes);
  }
  /// The same, as cereal names it.
  void loadBinary(void* data, std::size_t nbytes) { read(data, nbytes); }
  /// Skips bytes. \returns their address
  /// \throws exception::RuntimeError if there are fewer
  const std::byte* take(std::size_t nbytes) {
    if (nbytes > remaining()) throw_too_short(nbytes);
    const std::byte* const data = _begin + _position;
    _position += nbytes;
    return data;
  }
  /// See OutputArchive::align().
  void align(std::size_t alignment) { take((alignment - _position % alignment) % alignment); }
  /// Number of bytes that have not been read.
  std::size_t remaining() const noexcept { return _nbytes - _position; }
  /// Reads the number of elements of a container.
  /// \throws exception::RuntimeError if that many elements of at least `element_bytes` do not remain
  std::size_t read_size(std::size_t element_bytes = 1) {
    std::uint64_t size = 0;
    read(&size, sizeof size);
    if (size > remaining() / element_bytes) throw_too_short(size);
    return static_cast<std::size_t>(size);
  }

 private:
  [[noreturn]] void throw_too_short(std::uint64_t nbytes) const;

  const std::byte* _begin;
  std::size_t _nbytes;
  std::size_t _position = 0;
};

}  // namespace dash

#include "dash/serialization/Types.h"
