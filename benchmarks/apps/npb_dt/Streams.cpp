#include "Streams.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace npb_dt {

namespace {

/// Multiplies like `int` in the reference: a product that does not fit wraps around.
std::int32_t wrapped_product(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

/// The reference's version of base^exponent modulo m: products wrap around, and the remainder has
/// the sign of the dividend.
std::int32_t wrapped_power(std::int32_t base, int exponent, std::int32_t m) {
  if (exponent == 0) return 1;
  std::int32_t q = base;
  std::int32_t result = 1;
  while (exponent > 1) {
    if (exponent % 2 == 0) {
      q = wrapped_product(q, q) % m;
      exponent /= 2;
    } else {
      result = wrapped_product(result, q) % m;
      --exponent;
    }
  }
  return wrapped_product(result, q) % m;
}

/// base^exponent modulo m
std::uint32_t power(std::uint32_t base, std::size_t exponent, std::uint32_t m) {
  std::uint32_t result = 1;
  for (std::uint32_t q = base % m; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * q % m;
    q = q * q % m;
  }
  return result;
}

/// Generates one of the four numbers of a source's features. The constants are template parameters,
/// so that the compiler replaces the division by a multiplication.
template <std::uint32_t base, std::uint32_t modulus>
class Generator {
 public:
  explicit Generator(std::size_t exponent) : _state(power(base, exponent, modulus)) {}
  double next() {
    _state = _state * base % modulus;
    return _state;
  }

 private:
  std::uint32_t _state;
};

double square(double x) {
  return x * x;
}

double distance(const double* a, const double* b) {
  double sum = 0;
  for (std::size_t f = 0; f < feature_size; ++f)
    sum += square(a[f] - b[f]);
  return sum;
}

}  // namespace

std::size_t source_length(const Size& size, int id) {
  constexpr std::uint64_t modulus = std::uint64_t{1} << 46;
  const std::uint64_t x = 314159265 * (2 * static_cast<std::uint64_t>(id) + 1) % modulus;
  const double share = static_cast<double>(x) / static_cast<double>(modulus);
  const std::int32_t base = wrapped_product(static_cast<std::int32_t>(1 / share), 'S');
  const auto m = static_cast<std::int32_t>(2 * size.deviation);
  const auto extra = static_cast<std::size_t>(std::abs(wrapped_power(base, 2 * id + 1, m)));
  return feature_size * (size.samples - size.deviation + extra);
}

void fill_source(int id, std::span<double> stream) {
  const std::size_t exponent = stream.size() * (static_cast<std::size_t>(id) + 1) % 3141592;
  Generator<2, 421> first(exponent);
  Generator<2, 419> second(exponent);
  Generator<2, 1427> third(exponent);
  Generator<5, 3527> fourth(exponent);
  for (std::size_t i = 0; i + feature_size <= stream.size(); i += feature_size) {
    stream[i] = first.next();
    stream[i + 1] = second.next();
    stream[i + 2] = third.next();
    stream[i + 3] = fourth.next();
  }
}

void resample(std::span<const double> from, std::span<double> to) {
  const std::size_t n = from.size();
  assert(n > 2 && n <= to.size() && to.size() < 2 * n);
  const double first = from[0];
  const double last = from[n - 1];
  // Each inner number contributes one half to its own index and one half to the index before it.
  // The order allows resampling in place: numbers are overwritten only after they have been read.
  for (std::size_t i = 1; i + 2 < n; ++i)
    to[i] = from[i] / 2 + from[i + 1] / 2;
  to[n - 2] = from[n - 2] / 2;
  for (std::size_t i = n - 1; i < to.size(); ++i)
    to[i] = 0;
  to[0] = first;
  to[to.size() - 1] = last;
}

void window_filter(std::span<double> a, std::span<const double> b, double weight) {
  assert(a.size() == b.size());
  if (a.size() <= 2 * feature_size) return;
  double current = distance(a.data() + feature_size, b.data() + feature_size);
  // The distance at the previous index, whose feature has been replaced.
  double before = distance(a.data(), b.data());
  for (std::size_t i = feature_size; i + feature_size < a.size(); i += feature_size) {
    const double after = distance(a.data() + i + feature_size, b.data() + i + feature_size);
    std::size_t nearest = i;
    double smallest = current;
    if (after < smallest) {
      nearest = i + feature_size;
      smallest = after;
    }
    if (before < smallest) nearest = i - feature_size;
    for (std::size_t f = 0; f < feature_size; ++f)
      a[i + f] = weight * b[nearest + f];
    before = distance(a.data() + i, b.data() + i);
    current = after;
  }
}

void poison(std::span<double> streams) {
  std::fill(streams.begin(), streams.end(), std::numeric_limits<double>::quiet_NaN());
}

std::span<const double> resample_if_shorter(std::span<const double> stream, std::size_t length,
                                            std::vector<double>& scratch) {
  if (stream.size() >= length) return stream;
  scratch.resize(length);
  resample(stream, scratch);
  return scratch;
}

Comparator::Comparator(const Size& size, int id, std::span<double> buffer)
    : _buffer(buffer),
      _length(feature_size * size.samples),
      _weight(static_cast<double>(id + 1) / static_cast<double>(id + 2)) {
  for (double& number : _buffer.first(_length))
    number = 0;
}

void Comparator::add(std::span<const double> stream) {
  ++_arcs;
  if (stream.size() > _length) {
    resample(_buffer.first(_length), _buffer.first(stream.size()));
    _length = stream.size();
  }
  window_filter(_buffer.first(_length), resample_if_shorter(stream, _length, _scratch), _weight);
}

std::size_t Comparator::finish() {
  const double arcs = _arcs;
  // Equals the integer division: the dividend is below 2^31 and the divisor is a small number of
  // arcs, so the quotient is far enough from the next integer.
  for (double& number : _buffer.first(_length))
    number = std::trunc(std::trunc(number) / arcs);
  return _length;
}

void Sink::add(std::span<const double> stream) {
  ++_arcs;
  const auto n = static_cast<double>(stream.size());
  double sum = 0;
  for (const double number : stream)
    sum += number * number / n;
  _sum += static_cast<double>(static_cast<std::int32_t>(_factor * sum));
}

double Sink::value() const {
  return static_cast<double>(_factor * (static_cast<std::int64_t>(_sum) / _arcs));
}

}  // namespace npb_dt
