#pragma once

#include <array>
#include <atomic>
#include <cstddef>

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

/// The same by puts: each process has two slots for each other one.
template <class T>
class PutSlots {
 public:
  /// \collective
  PutSlots(int unit, int units)
      : _unit(unit),
        _units(units),
        _memory(2 * sizeof(Slot<T>) * static_cast<std::size_t>(units), MpiMemory::Kind::window) {}

  void publish(const T& own) {
    Slot<T>& sent = _sent[++_call & 1];
    sent = {own, _call};
    put_to_all(&sent.value, sizeof sent.value, offsetof(Slot<T>, value));
    // The number of the call comes behind the value.
    _memory.flush();
    put_to_all(&sent.call, sizeof sent.call, offsetof(Slot<T>, call));
  }
  /// \returns what is published, combined
  template <class Combine>
  T collect(const Combine& combine) {
    T all = _sent[_call & 1].value;
    for (int unit = 0; unit < _units; ++unit) {
      if (unit == _unit) continue;
      Slot<T>& slot = _memory.local<Slot<T>>()[place_of(unit)];
      wait_for_puts([&] { return slot.is_of(_call); });
      all = combine(all, slot.value);
    }
    return all;
  }

 private:
  std::size_t place_of(int unit) const {
    return (_call & 1) * static_cast<std::size_t>(_units) + static_cast<std::size_t>(unit);
  }
  void put_to_all(const void* data, std::size_t nbytes, std::size_t offset) {
    const auto place = static_cast<MPI_Aint>(place_of(_unit) * sizeof(Slot<T>) + offset);
    const int size = static_cast<int>(nbytes);
    for (int unit = 0; unit < _units; ++unit) {
      if (unit == _unit) continue;
      MPI_Put(data, size, MPI_BYTE, unit, place, size, MPI_BYTE, _memory.window());
    }
  }

  int _unit;
  int _units;
  MpiMemory _memory;
  std::array<Slot<T>, 2> _sent{};
  unsigned _call = 0;
};

}  // namespace kernels
