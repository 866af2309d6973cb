#pragma once

#include <optional>
#include <string>

#include "dash/algorithm/internal/matrix/MatrixBlock.h"

namespace dash::internal {

/// A library with the C interface of BLAS, with indices of 32 bits.
class Blas {
 public:
  /// That of the setting DART_BLAS, loaded when first asked for; nullptr if there is none, or none
  /// that is faster than our own kernel.
  /// \throws exception::InvalidArgument if the setting names a library that is not there
  static const Blas* instance();
  /// What instance() finds, looked for anew.
  static std::optional<Blas> find();

  const std::string& name() const { return _name; }

  /// \returns false, with no effect, if BLAS cannot express the product
  template <class T>
  bool multiply(const ProductExtents& extents, const MatrixBlock<const T>& a,
                const MatrixBlock<const T>& b, const MatrixBlock<T>& c, bool add) const;

  /// \name The library's own threads, if they can be set
  /// @{
  int threads() const { return _get_threads != nullptr ? _get_threads() : 1; }
  void set_threads(long n) const {
    if (_set_threads != nullptr) _set_threads(n);
  }
  /// @}

 private:
  template <class T>
  using Gemm = void(int order, int trans_a, int trans_b, int m, int n, int k, T alpha, const T* a,
                    int lda, const T* b, int ldb, T beta, T* c, int ldc);

  static std::optional<Blas> open(const char* name);
  explicit Blas(std::string name) : _name(std::move(name)) {}
  bool is_fast() const;

  std::string _name;
  Gemm<double>* _dgemm = nullptr;
  Gemm<float>* _sgemm = nullptr;
  int (*_get_threads)() = nullptr;
  void (*_set_threads)(long) = nullptr;  // of an int, too: it is passed in a register
  bool _sets_caller_only = false;        // OpenMP's number of threads is that of the calling thread
  const char* (*_core_name)() = nullptr;
};

}  // namespace dash::internal
