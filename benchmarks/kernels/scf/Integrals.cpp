#include "Integrals.h"

namespace scf {

namespace {

constexpr std::size_t num_values = 13;
constexpr std::size_t num_overlaps = 5;
/// Number of integrals between two calls of on_progress; they take some microseconds.
constexpr std::size_t integrals_per_progress_call = 8192;

}  // namespace

Integrals::Integrals(const Problem& problem, long spin)
    : _problem(problem),
      _b(static_cast<std::size_t>(problem.b)),
      _spin(spin),
      _values(num_values * _b),
      _mask(num_overlaps * _b * _b) {}

/// Computes the mask and the number of integrals that are not skipped, for each overlap of (i, j).
void Integrals::screen(const double* overlaps, std::size_t nk, std::size_t nl) {
  for (std::size_t s = 1; s <= num_overlaps; ++s) {
    double sum = 0;
    for (std::size_t k = 0; k < nk; ++k) {
      for (std::size_t l = 0; l < nl; ++l) {
        const double is_kept = static_cast<double>(s) * overlaps[k * _b + l] >= min_overlap ? 1 : 0;
        mask(s, k)[l] = is_kept;
        sum += is_kept;
      }
    }
    _numbers[s - 1] = static_cast<long>(sum);
  }
}

void Integrals::tabulate(long first_l, std::size_t size) {
  for (std::size_t value = 0; value < num_values; ++value) {
    for (std::size_t l = 0; l < size; ++l) {
      const auto number = (value + 11 * (static_cast<std::size_t>(first_l) + l)) % num_values;
      _values[value * _b + l] = static_cast<double>(number) - 6;
    }
  }
}

/// The contributions of the integrals of all l to F(i, j), and to F(i, k) before the factor of a
/// half.
Integrals::Sums Integrals::sum_row(const double* values, const double* mask, const double* of_k,
                                   const double* of_j, std::size_t nl) {
  Sums sums;
  for (std::size_t l = 0; l < nl; ++l) {
    const double g = values[l] * mask[l];
    sums.of_ij += g * of_k[l];
    sums.of_ik += g * of_j[l];
  }
  return sums;
}

long Integrals::compute(const Task& task, const Operands& operands, const Outputs& outputs,
                        const std::function<void()>& on_progress) {
  const auto size = [&](long block) { return static_cast<std::size_t>(_problem.size(block)); };
  const std::size_t nk = size(task.k);
  const std::size_t nl = size(task.l);
  screen(operands[s_kl], nk, nl);
  tabulate(_problem.begin(task.l), nl);
  const auto first = static_cast<std::size_t>(
      3 * _problem.begin(task.i) + 5 * _problem.begin(task.j) + 7 * _problem.begin(task.k));
  long computed = 0;
  std::size_t since = 0;
  for (std::size_t i = 0; i < size(task.i); ++i) {
    if (since >= integrals_per_progress_call) {
      on_progress();
      since = 0;
    }
    since += size(task.j) * nk * nl;
    for (std::size_t j = 0; j < size(task.j); ++j) {
      const auto s = static_cast<std::size_t>(operands[s_ij][i * _b + j]);
      for (std::size_t k = 0; k < nk; ++k) {
        const auto value = (first + 3 * i + 5 * j + 7 * k) % num_values;
        const Sums sums = sum_row(&_values[value * _b], mask(s, k), operands[d_kl] + k * _b,
                                  operands[d_jl] + j * _b, nl);
        outputs[f_ij][i * _b + j] += sums.of_ij;
        outputs[f_ik][i * _b + k] -= 0.5 * sums.of_ik;
      }
      computed += _numbers[s - 1];
    }
  }
  spin(computed);
  return computed;
}

void Integrals::spin(long integrals) const {
  for (long i = 0; i < integrals * _spin; ++i)
    asm volatile("");
}

}  // namespace scf
