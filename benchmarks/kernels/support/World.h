#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace kernels {

/// The units of a program, of ours or by MPI alone: what kernels need of them besides the exchange
/// that is measured.
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
  /// Each element becomes the combination of those of all units, on all units. \collective
  /// @{
  virtual void reduce(std::span<double> values, Reduction reduction) = 0;
  virtual void reduce(std::span<std::uint64_t> values, Reduction reduction) = 0;
  /// @}
  /// Whether all units share memory.
  virtual bool is_one_node() const = 0;
  /// What makes progress of messages, where that can be chosen; otherwise empty.
  virtual std::string progress() const { return {}; }
  /// Ends the job: others may wait for this unit for ever.
  [[noreturn]] void abort() {
    end_job();
    std::abort();
  }

  bool leads() const { return unit() == 0; }

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
  /// Of each unit, on all. \collective
  std::vector<std::uint64_t> gather(std::uint64_t value);

 private:
  /// Of other units. What is left undone, the end of this process does.
  virtual void end_job() {}
};

/// Of the host that the caller runs on, by its name.
std::uint64_t host_number();

/// \throws UserError on all units if a unit's host has not the memory that is asked of it, instead of
///         an end without a word when the memory is used
/// \param nbytes of the calling unit   \param what "a table of 2^40 words"
/// \collective
void require_memory(World& world, double nbytes, const std::string& what);

/// The same for memory that the processes of a host share, of which MPI does not find out that there is
/// too little before it is used.
/// \pre all units are on one host
void require_shared_memory(World& world, double nbytes, const std::string& what);

/// Of `total` elements in `parts` contiguous blocks that differ by one at most, where block `part`
/// begins; part == parts: the end.
constexpr std::uint64_t block_begin(std::uint64_t total, std::uint64_t parts, std::uint64_t part) {
  const std::uint64_t rest = total % parts;
  return total / parts * part + (part < rest ? part : rest);
}

/// The block that element `index` is in.
constexpr std::uint64_t block_of(std::uint64_t total, std::uint64_t parts, std::uint64_t index) {
  const std::uint64_t size = total / parts;
  const std::uint64_t large = (size + 1) * (total % parts);
  return index < large ? index / (size + 1) : total % parts + (index - large) / size;
}

}  // namespace kernels
