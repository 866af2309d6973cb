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

/// What a process tells in a call.
template <class T>
struct alignas(64) Slot {
  T value;
  unsigned call;

  bool is_of(unsigned wanted) {
    return std::atomic_ref<unsigned>(call).load(std::memory_order_acquire) == wanted;
  }
};

/// All tell all, call by call, in memory that they share. Each process has two slots for calls in
/// turns: who begins the next call has seen all slots of the one before.
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
  /// \returns what is published, combined
  template <class Combine>
  T collect(const Combine& combine) {
    T all = slot_of(_unit, _call).value;
    for (int unit = 0; unit < _units; ++unit) {
      if (unit == _unit) continue;
      Slot<T>& slot = slot_of(unit, _call);
      wait_for_stores([&] { return slot.is_of(_call); });
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

/// A value in words, each with the number of the call beside its piece of the value: so it may come in any
/// order, by one put without a flush. An aligned word of 8 bytes comes as a whole.
template <class T>
class NumberedWords {
 public:
  void set(const T& value, unsigned call) {
    std::array<std::uint32_t, size> pieces{};
    std::memcpy(pieces.data(), &value, sizeof value);
    for (std::size_t i = 0; i < size; ++i)
      _words[i] = std::uint64_t{call} << 32 | pieces[i];
  }
  bool is_of(unsigned call) {
    return std::all_of(_words.begin(), _words.end(), [&](std::uint64_t& word) {
      return std::atomic_ref(word).load(std::memory_order_acquire) >> 32 == call;
    });
  }
  /// \pre is_of() has been true
  T value() const {
    std::array<std::uint32_t, size> pieces;
    for (std::size_t i = 0; i < size; ++i)
      pieces[i] = static_cast<std::uint32_t>(_words[i]);
    T value;
    std::memcpy(&value, pieces.data(), sizeof value);
    return value;
  }
  /// Into those at a place in another process's part of the window.
  void put(int unit, std::size_t place, MPI_Win window) const {
    MPI_Put(_words.data(), size, MPI_UINT64_T, unit, static_cast<MPI_Aint>(place), size,
            MPI_UINT64_T, window);
  }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t size = (sizeof(T) + 3) / 4;
  std::array<std::uint64_t, size> _words;
};

/// The same by puts: each process has two slots for each other one.
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
      if (unit != _unit) sent.put(unit, place_of(_unit) * sizeof(PutSlot), _memory.window());
    }
  }
  /// \returns what is published, combined
  template <class Combine>
  T collect(const Combine& combine) {
    T all = _sent[_call & 1].value();
    for (int unit = 0; unit < _units; ++unit) {
      if (unit == _unit) continue;
      auto& words = _memory.local<PutSlot>()[place_of(unit)].words;
      wait_for_puts([&] { return words.is_of(_call); });
      all = combine(all, words.value());
    }
    return all;
  }

 private:
  struct alignas(64) PutSlot {
    NumberedWords<T> words;
  };
  std::size_t place_of(int unit) const {
    return (_call & 1) * static_cast<std::size_t>(_units) + static_cast<std::size_t>(unit);
  }

  int _unit;
  int _units;
  MpiMemory _memory;
  // The words of two calls before have arrived: all have told the call after that.
  std::array<NumberedWords<T>, 2> _sent;
  unsigned _call = 0;
};

}  // namespace kernels
