#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace kernels {

/// The units of a program, either DASH units or MPI processes: the collective operations that a
/// kernel needs outside of the exchange that it measures.
class World {
 public:
  enum class Reduction { sum, max, bit_xor };

  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;

  virtual int unit() const = 0;
  virtual int units() const = 0;
  virtual void barrier() = 0;
  /// Reduces each element over all units in place; every unit has the result. \collective
  /// @{
  virtual void reduce(std::span<double> values, Reduction reduction) = 0;
  virtual void reduce(std::span<std::uint64_t> values, Reduction reduction) = 0;
  /// @}
  /// Whether all units share memory.
  virtual bool is_one_node() const = 0;
  /// The progress mode, if the library offers a choice; otherwise empty.
  virtual std::string progress() const { return {}; }
  /// Ends the job on all units. For errors of one unit, for which the others would wait forever.
  [[noreturn]] void abort() {
    end_job();
    std::abort();
  }

  bool is_root() const { return unit() == 0; }

  template <class T>
  T sum(T value) {
    reduce(std::span<T>(&value, 1), Reduction::sum);
    return value;
  }
  template <class T>
  T max(T value) {
    reduce(std::span<T>(&value, 1), Reduction::max);
    return value;
  }
  /// \returns the value of each unit, by unit  \collective
  std::vector<std::uint64_t> gather(std::uint64_t value);

 private:
  /// Ends the processes of all other units, if the library can.
  virtual void end_job() {}
};

/// Identifies the host of the caller: a hash of its name.
std::uint64_t host_id();

/// Checks in advance that every host has enough memory for its units. Without the check, the
/// operating system would kill a process without a message when it first uses the memory.
/// \param  nbytes   memory of the calling unit
/// \param  purpose  for the message: "a table of 2^40 words"
/// \collective
/// \throws UserError on all units if a host has too little memory
void require_memory(World& world, double nbytes, const std::string& purpose);

/// The same check for shared memory in /dev/shm. MPI allocates it without a check, and a process is
/// killed when it uses more than there is.
/// \pre all units are on one host
void require_shared_memory(World& world, double nbytes, const std::string& purpose);

/// First element of block `part`, if `total` elements are divided into `parts` contiguous blocks
/// whose sizes differ by at most one. part == parts gives the end.
constexpr std::uint64_t block_begin(std::uint64_t total, std::uint64_t parts, std::uint64_t part) {
  const std::uint64_t rest = total % parts;
  return total / parts * part + (part < rest ? part : rest);
}

/// The number of the block that contains element `index`.
constexpr std::uint64_t block_of(std::uint64_t total, std::uint64_t parts, std::uint64_t index) {
  const std::uint64_t size = total / parts;
  const std::uint64_t large = (size + 1) * (total % parts);
  return index < large ? index / (size + 1) : total % parts + (index - large) / size;
}

}  // namespace kernels
