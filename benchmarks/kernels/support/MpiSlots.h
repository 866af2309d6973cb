#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "support/MpiProgram.h"
#include "support/MpiWait.h"

namespace kernels {

/// The value that a process publishes in a call.
template <class T>
struct alignas(64) Slot {
  T value;
  unsigned call;

  bool belongs_to(unsigned expected) {
    return std::atomic_ref<unsigned>(call).load(std::memory_order_acquire) == expected;
  }
};

/// An all-to-all exchange of one value per process through shared memory. Each process alternates
/// between two slots. Two are enough: a process that publishes in the next call has read all slots
/// of the call before.
template <class T>
class SharedSlots {
 public:
  /// \collective
  SharedSlots(int unit, int units)
      : _unit(unit), _units(units), _memory(2 * sizeof(Slot<T>), MpiMemory::Kind::shared) {}

  void publish(const T& own) {
    Slot<T>& slot = slot_of(_unit, ++_call);
    slot.value = own;
    std::atomic_ref<unsigned>(slot.call).store(_call, std::memory_order_release);
  }
  /// \returns the values that all processes have published, combined
  template <class Combine>
  T collect(const Combine& combine) {
    T all = slot_of(_unit, _call).value;
    for (int unit = 0; unit < _units; ++unit) {
      if (unit == _unit) continue;
      Slot<T>& slot = slot_of(unit, _call);
      wait_for_stores([&] { return slot.belongs_to(_call); });
      all = combine(all, slot.value);
    }
    return all;
  }

 private:
  Slot<T>& slot_of(int unit, unsigned call) { return _memory.of<Slot<T>>(unit)[call & 1]; }

  int _unit;
  int _units;
  MpiMemory _memory;
  unsigned _call = 0;
};

/// A value divided into words of 8 bytes. Each word has the number of the call in its upper half
/// and 4 bytes of the value in its lower half. So one put without a flush is enough: the words may
/// arrive in any order, and an aligned word of 8 bytes arrives as a whole.
template <class T>
class NumberedWords {
 public:
  void set(const T& value, unsigned call) {
    std::array<std::uint32_t, size> halves{};
    std::memcpy(halves.data(), &value, sizeof value);
    for (std::size_t i = 0; i < size; ++i)
      _words[i] = std::uint64_t{call} << 32 | halves[i];
  }
  bool belongs_to(unsigned call) {
    return std::all_of(_words.begin(), _words.end(), [&](std::uint64_t& word) {
      return std::atomic_ref(word).load(std::memory_order_acquire) >> 32 == call;
    });
  }
  /// \pre belongs_to() has returned true
  T value() const {
    std::array<std::uint32_t, size> halves;
    for (std::size_t i = 0; i < size; ++i)
      halves[i] = static_cast<std::uint32_t>(_words[i]);
    T value;
    std::memcpy(&value, halves.data(), sizeof value);
    return value;
  }
  /// Puts the words at an offset in bytes in another process's memory of the window.
  void put(int unit, std::size_t offset, MPI_Win window) const {
    MPI_Put(_words.data(), size, MPI_UINT64_T, unit, static_cast<MPI_Aint>(offset), size,
            MPI_UINT64_T, window);
  }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t size = (sizeof(T) + 3) / 4;
  std::array<std::uint64_t, size> _words;
};

/// The same exchange by puts: each process has two slots for each other process.
template <class T>
class PutSlots {
 public:
  /// \collective
  PutSlots(int unit, int units)
      : _unit(unit),
        _units(units),
        _memory(2 * sizeof(PutSlot) * static_cast<std::size_t>(units), MpiMemory::Kind::window) {}

  void publish(const T& own) {
    auto& sent = _sent[++_call & 1];
    sent.set(own, _call);
    for (int unit = 0; unit < _units; ++unit) {
      if (unit != _unit) sent.put(unit, slot_index(_unit) * sizeof(PutSlot), _memory.window());
    }
  }
  /// \returns the values that all processes have published, combined
  template <class Combine>
  T collect(const Combine& combine) {
    T all = _sent[_call & 1].value();
    for (int unit = 0; unit < _units; ++unit) {
      if (unit == _unit) continue;
      auto& words = _memory.local<PutSlot>()[slot_index(unit)].words;
      wait_for_puts([&] { return words.belongs_to(_call); });
      all = combine(all, words.value());
    }
    return all;
  }

 private:
  struct alignas(64) PutSlot {
    NumberedWords<T> words;
  };
  std::size_t slot_index(int unit) const {
    return (_call & 1) * static_cast<std::size_t>(_units) + static_cast<std::size_t>(unit);
  }

  int _unit;
  int _units;
  MpiMemory _memory;
  // Buffers of the puts of the last two calls. The puts of the call before those have arrived,
  // since all processes have published in the call after it.
  std::array<NumberedWords<T>, 2> _sent;
  unsigned _call = 0;
};

}  // namespace kernels
