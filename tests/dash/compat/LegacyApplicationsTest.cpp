// dash-test: parallel units=1,2,3,4 layouts=node,nolocal

// Small applications in the form that programs for DASH of 2016 to 2021 have. The tree code, the
// multigrid solver and the data traffic benchmark are in separate files.

#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/Catch.h"

// dash::accumulate, UnitLocality(int) and copies of matrices are deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

using Timer = dash::util::Timer<dash::util::TimeMeasure::Clock>;

// All pairs: each unit measures the time of transfers to all units.

class AllPairs {
 public:
  static constexpr int repeats = 6;
  static constexpr int block = 32;

  AllPairs()
      : _units(static_cast<int>(dash::size())), _buffer(block * dash::size(), dash::TILE(block)) {
    const dash::SizeSpec<3> sizes(dash::size(), dash::size(), repeats);
    const dash::DistributionSpec<3> distribution(dash::BLOCKED, dash::CYCLIC, dash::BLOCKED);
    dash::TeamSpec<3> grid(dash::Team::All());
    grid.balance_extents();
    _times.allocate(dash::Pattern<3>(sizes, distribution, grid, dash::Team::All()));
    _means.allocate(
        dash::Pattern<2, dash::ROW_MAJOR, long>(dash::SizeSpec<2>(dash::size(), dash::size())));
    dash::fill(_times.begin(), _times.end(), -1.0);
    dash::fill(_means.begin(), _means.end(), -1.0);
    _times.barrier();
  }

  /// In each round, all units send to different units.
  void measure() {
    const int me = dash::myid();
    for (int round = 0; round < _units; ++round) {
      const int target = (me + round) % _units;
      const int source = (me - round + _units) % _units;
      for (int repeat = 0; repeat < repeats; ++repeat) {
        std::array<int, block> message;
        for (int i = 0; i < block; ++i)
          message[i] = content(me, target, repeat, i);
        const auto start = Timer::Now();
        dash::copy(message.data(), message.data() + block, _buffer.begin() + target * block);
        _times[me][target][repeat] = Timer::ElapsedSince(start) + 1;  // never 0
        _buffer.barrier();
        int wrong = 0;
        for (int i = 0; i < block; ++i)
          wrong += _buffer.local[i] == content(source, me, repeat, i) ? 0 : 1;
        CHECK(wrong == 0);
        _buffer.barrier();
      }
    }
  }

  void compute_means() {
    for (int from = 0; from < _units; ++from) {
      for (int to = 0; to < _units; ++to) {
        if (!_means.is_local(from * _units + to)) continue;
        double sum = 0;
        for (int repeat = 0; repeat < repeats; ++repeat)
          sum += _times[from][to][repeat];
        _means(from, to) = sum / repeats;
      }
    }
    _means.barrier();
  }

  /// Compares with means that are computed from all times.
  void verify() {
    std::vector<double> times(_times.size());
    std::vector<double> means(_means.size());
    dash::copy(_times.begin(), _times.end(), times.data());
    dash::copy(_means.begin(), _means.end(), means.data());
    CHECK(*std::min_element(times.begin(), times.end()) >= 1);
    for (std::size_t pair = 0; pair < means.size(); ++pair) {
      double sum = 0;
      for (std::size_t repeat = 0; repeat < repeats; ++repeat)
        sum += times[pair * repeats + repeat];
      CHECK(means[pair] == Approx(sum / repeats));
    }
    long local = 0;
    for (long i = 0; i < static_cast<long>(_times.size()); ++i)
      local += _times.is_local(i) ? 1 : 0;
    CHECK(local == static_cast<long>(_times.local_size()));
  }

  void print(std::ostream& os) {
    for (int unit = 0; unit < _units; ++unit) {
      const dash::util::UnitLocality locality(unit);
      os << "unit;" << unit << ';' << locality.hostname() << '\n';
    }
    for (int from = 0; from < _units; ++from) {
      for (int to = 0; to < _units; ++to)
        os << "pair;" << from << ';' << to << ';' << static_cast<double>(_means[from][to]) << '\n';
    }
  }

 private:
  static int content(int from, int to, int repeat, int position) {
    return ((from * 31 + to) * 31 + repeat) * 31 + position;
  }

  int _units;
  dash::NArray<double, 3, long, dash::Pattern<3>> _times;  // allocated later
  dash::NArray<double, 2, long> _means;
  dash::Array<int, long, dash::TilePattern<1>> _buffer;
};

TEST_CASE("Measurement of all pairs of units") {
  AllPairs pairs;
  pairs.measure();
  pairs.compute_means();
  pairs.verify();
  std::stringstream output;
  if (dash::myid() == 0) {
    pairs.print(output);
    std::string line;
    std::size_t lines = 0;
    while (std::getline(output, line))
      ++lines;
    CHECK(lines == dash::size() + dash::size() * dash::size());
  }
  dash::barrier();
}

// The Fourier transform (FT) benchmark: a spectrum that evolves in time, and checksums in space.

constexpr int length = 8;  // in all dimensions
constexpr int plane_size = length * length;
constexpr int steps = 3;

struct Complex {
  double re = 0;
  double im = 0;

  Complex() = default;
  Complex(double real, double imaginary = 0) : re(real), im(imaginary) {}

  friend Complex operator+(const Complex& a, const Complex& b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend Complex operator-(const Complex& a, const Complex& b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

using SpectrumT = dash::Matrix<Complex, 3>;
using TransposedT = dash::NArray<Complex, 3>;

Complex initial_value(int z, int y, int x) {
  return {std::sin(0.7 * z + 1.3 * y * x), std::cos(0.4 * y + 0.2 * z * x)};
}

/// The factor of a wave in each step of time.
double decay(int z, int y, int x) {
  const auto frequency = [](int i) { return (i + length / 2) % length - length / 2; };
  const int kz = frequency(z), ky = frequency(y), kx = frequency(x);
  return std::exp(-0.02 * (kz * kz + ky * ky + kx * kx));
}

/// Transforms the elements begin[0], begin[stride], ...
void transform_line(Complex* begin, int stride, int count, int sign) {
  if (count == 1) return;
  transform_line(begin, 2 * stride, count / 2, sign);
  transform_line(begin + stride, 2 * stride, count / 2, sign);
  std::vector<Complex> result(static_cast<std::size_t>(count));
  for (int i = 0; i < count / 2; ++i) {
    const double angle = sign * 2 * std::acos(-1.0) * i / count;
    const Complex even = begin[2 * i * stride];
    const Complex odd = Complex(std::cos(angle), std::sin(angle)) * begin[(2 * i + 1) * stride];
    result[i] = even + odd;
    result[i + count / 2] = even - odd;
  }
  for (int i = 0; i < count; ++i)
    begin[i * stride] = result[i];
}

void transform_plane(Complex* plane, int sign) {
  for (int i = 0; i < length; ++i)
    transform_line(plane + i * length, 1, length, sign);
  for (int i = 0; i < length; ++i)
    transform_line(plane + i, length, length, sign);
}

int plane_of(const SpectrumT& u, int local_plane) {
  return static_cast<int>(u.pattern().global({{local_plane, 0, 0}})[0]);
}

/// Transforms along x and y on the owners of planes, and along z after a transposition.
void transform(SpectrumT& u, int sign) {
  const int planes = static_cast<int>(u.local_size()) / plane_size;
  for (int plane = 0; plane < planes; ++plane)
    transform_plane(u.lbegin() + plane * plane_size, sign);
  u.barrier();

  std::vector<Complex> all(u.size());
  std::vector<dash::Future<Complex*>> copies;
  for (int z = 0; z < length; ++z) {
    const auto begin = u.begin() + z * plane_size;
    copies.push_back(dash::copy_async(begin, begin + plane_size, all.data() + z * plane_size));
  }
  for (auto& copy : copies)
    copy.wait();
  TransposedT transposed(length, length, length, dash::BLOCKED, dash::NONE, dash::NONE);
  for (int x = 0; x < static_cast<int>(transposed.local.extent(0)); ++x) {
    const auto column = transposed.pattern().global({{x, 0, 0}})[0];
    for (int y = 0; y < length; ++y) {
      for (int z = 0; z < length; ++z)
        transposed.local[x][y][z] = all[(z * length + y) * length + column];
      transform_line(&transposed.local[x][y][0], 1, length, sign);
    }
  }
  transposed.barrier();

  dash::copy(transposed.begin(), transposed.end(), all.data());
  for (int plane = 0; plane < planes; ++plane) {
    const int z = plane_of(u, plane);
    for (int y = 0; y < length; ++y) {
      for (int x = 0; x < length; ++x)
        u.local(plane, y, x) = all[(x * length + y) * length + z];
    }
  }
  u.barrier();
}

/// Calls fn(z, y, x) for the elements in a checksum.
template <class Fn>
void for_each_in_checksum(Fn fn) {
  for (int i = 1; i <= 100; ++i)
    fn(5 * i % length, 3 * i % length, i % length);
}

Complex checksum(SpectrumT u) {
  dash::Array<Complex> sums(dash::size());
  Complex sum;
  for_each_in_checksum([&](int z, int y, int x) {
    if (u.pattern().unit_at({{z, y, x}}) == u.team().myid()) sum = sum + u(z, y, x).get();
  });
  sums.local[0] = sum;
  sums.barrier();
  return dash::accumulate(sums.begin(), sums.end(), 0);
}

TEST_CASE("NPB FT has the checksums of a serial transform") {
  SpectrumT u0(dash::SizeSpec<3>(length, length, length),
               dash::DistributionSpec<3>(dash::TILE(1), dash::TILE(length), dash::TILE(length)),
               dash::Team::All(), dash::TeamSpec<3>(dash::size(), 1, 1));
  const int planes = static_cast<int>(u0.local_size()) / plane_size;
  std::vector<Complex> serial(plane_size * length);
  const auto at = [](int z, int y, int x) { return (z * length + y) * length + x; };
  const auto for_each_in_plane = [](auto fn) {
    for (int y = 0; y < length; ++y) {
      for (int x = 0; x < length; ++x)
        fn(y, x);
    }
  };
  const auto transform_serial = [&](std::vector<Complex>& values, int sign) {
    for (int z = 0; z < length; ++z)
      transform_plane(values.data() + z * plane_size, sign);
    for (int i = 0; i < plane_size; ++i)
      transform_line(values.data() + i, plane_size, length, sign);
  };
  for (int plane = 0; plane < planes; ++plane) {
    const int z = plane_of(u0, plane);
    for_each_in_plane([&](int y, int x) { u0.local[plane][y][x] = initial_value(z, y, x); });
  }
  for (int z = 0; z < length; ++z)
    for_each_in_plane([&](int y, int x) { serial[at(z, y, x)] = initial_value(z, y, x); });
  transform(u0, 1);
  transform_serial(serial, 1);

  for (int step = 1; step <= steps; ++step) {
    CAPTURE(step);
    for (int plane = 0; plane < planes; ++plane) {
      const int z = plane_of(u0, plane);
      for_each_in_plane(
          [&](int y, int x) { u0.local[plane][y][x] = decay(z, y, x) * u0.local[plane][y][x]; });
    }
    SpectrumT u1(u0);
    transform(u1, -1);
    const Complex sum = checksum(u1);

    Complex expected;
    for (int z = 0; z < length; ++z) {
      for_each_in_plane(
          [&](int y, int x) { serial[at(z, y, x)] = decay(z, y, x) * serial[at(z, y, x)]; });
    }
    std::vector<Complex> in_space = serial;
    transform_serial(in_space, -1);
    for_each_in_checksum([&](int z, int y, int x) { expected = expected + in_space[at(z, y, x)]; });
    CHECK(std::hypot(sum.re - expected.re, sum.im - expected.im) <
          1e-11 * std::hypot(expected.re, expected.im));
    double difference = 0;
    for (int plane = 0; plane < planes; ++plane) {
      const int z = plane_of(u0, plane);
      for_each_in_plane([&](int y, int x) {
        const Complex d = u0.local[plane][y][x] - serial[at(z, y, x)];
        difference = std::max(difference, std::hypot(d.re, d.im));
      });
    }
    CHECK(difference < 1e-10);  // the copy has not changed the spectrum
  }
  dash::barrier();
}

// The conjugate gradient (CG) benchmark: the smallest eigenvalue of a sparse matrix.

constexpr int rows = 120;
constexpr double shift = 10;

/// The elements of a row: a symmetric, positive definite matrix.
std::vector<std::pair<int, double>> row_elements(int row) {
  std::vector<std::pair<int, double>> elements{{row, 8.0 + row % 3}};
  for (const int stride : {1, 7, 31}) {
    const double value = 1.0 / stride;
    if (row + stride < rows) elements.emplace_back(row + stride, value);
    if (row - stride >= 0) elements.emplace_back(row - stride, -value);
  }
  for (auto& [column, value] : elements)
    value = column == row ? value : std::sin(row + column) * std::abs(value);
  return elements;
}

/// A vector of which each unit computes its own elements.
class DistributedVector {
 public:
  DistributedVector() : _values(rows, dash::BLOCKED), _products(rows, dash::BLOCKED) {}

  template <class Fn>
  void set(Fn fn) {
    for (int i = 0; i < size(); ++i)
      _values.local[i] = fn(i);
    _values.barrier();
  }
  double operator[](int i) const { return _values.local[i]; }
  int size() const { return static_cast<int>(_values.lsize()); }
  int global_row(int i) const { return static_cast<int>(_values.pattern().global(i)); }

  double dot(const DistributedVector& other) {
    for (int i = 0; i < size(); ++i)
      _products.local[i] = _values.local[i] * other[i];
    _products.barrier();
    return dash::accumulate(_products.begin(), _products.end(), 0.0);
  }
  /// All elements, of all units.
  std::vector<double> gather() const {
    std::vector<double> result(rows);
    auto copied = dash::copy_async(_values.begin(), _values.end(), result.data());
    copied.wait();
    return result;
  }

 private:
  dash::Array<double> _values;
  dash::Array<double> _products;
};

class SerialVector {
 public:
  template <class Fn>
  void set(Fn fn) {
    std::vector<double> values(rows);
    for (int i = 0; i < rows; ++i)
      values[i] = fn(i);
    _values = values;
  }
  double operator[](int i) const { return _values[i]; }
  int global_row(int i) const { return i; }
  double dot(const SerialVector& other) {
    double sum = 0;
    for (int i = 0; i < rows; ++i)
      sum += _values[i] * other[i];
    return sum;
  }
  const std::vector<double>& gather() const { return _values; }

 private:
  std::vector<double> _values = std::vector<double>(rows);
};

template <class Vector>
void multiply(const Vector& in, Vector& out) {
  const std::vector<double> values = in.gather();
  out.set([&](int i) {
    double sum = 0;
    for (const auto& [column, value] : row_elements(out.global_row(i)))
      sum += value * values[column];
    return sum;
  });
}

/// \returns the estimates of the eigenvalue, and the norms of the residuals
template <class Vector>
std::vector<double> iterate() {
  Vector x, z, p, q, r;
  std::vector<double> result;
  x.set([](int) { return 1.0; });
  for (int outer = 0; outer < 4; ++outer) {
    z.set([](int) { return 0.0; });
    r.set([&](int i) { return x[i]; });
    p.set([&](int i) { return x[i]; });
    double rho = r.dot(r);
    for (int inner = 0; inner < 20; ++inner) {
      multiply(p, q);
      const double alpha = rho / p.dot(q);
      z.set([&](int i) { return z[i] + alpha * p[i]; });
      r.set([&](int i) { return r[i] - alpha * q[i]; });
      const double previous = rho;
      rho = r.dot(r);
      p.set([&](int i) { return r[i] + rho / previous * p[i]; });
    }
    multiply(z, q);
    r.set([&](int i) { return x[i] - q[i]; });
    result.push_back(shift + 1 / x.dot(z));
    result.push_back(std::sqrt(r.dot(r)));
    const double norm = std::sqrt(z.dot(z));
    x.set([&](int i) { return z[i] / norm; });
  }
  return result;
}

TEST_CASE("NPB CG has the eigenvalue of a serial iteration") {
  const std::vector<double> parallel = iterate<DistributedVector>();
  const std::vector<double> serial = iterate<SerialVector>();
  for (std::size_t i = 0; i < serial.size(); i += 2) {
    CAPTURE(i);
    CHECK(parallel[i] == Approx(serial[i]).epsilon(1e-12));
    CHECK(parallel[i + 1] < 1e-5);
  }
  CHECK(std::abs(serial[0] - serial[6]) > 1e-6);
}

}  // namespace
