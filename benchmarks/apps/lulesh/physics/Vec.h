#pragma once

#include "physics/Simd.h"

namespace lulesh {

/// A vector in space; V is a number or a SIMD pack.
template <class V>
struct Vec {
  V x, y, z;

  friend Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec operator-(const Vec& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec operator*(const V& s, const Vec& a) { return {s * a.x, s * a.y, s * a.z}; }
  Vec& operator+=(const Vec& a) { return *this = *this + a; }
};

template <class V>
V dot(const Vec<V>& a, const Vec<V>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class V>
Vec<V> cross(const Vec<V>& a, const Vec<V>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace lulesh
