#pragma once

#include <optional>
#include <string>

#include "dash/algorithm/internal/matrix/MatrixBlock.h"

namespace dash::internal {

/// A BLAS library with the CBLAS interface and 32-bit indices.
class Blas {
 public:
  /// The BLAS that the setting DART_BLAS selects, loaded on first use; nullptr if there is none, or
  /// none that is faster than the built-in kernel.
  /// \throws exception::InvalidArgument if the setting names a library that cannot be loaded
  static const Blas* instance();
  /// Searches like instance(), but does not store the result.
  static std::optional<Blas> find();

  const std::string& name() const { return _name; }

  /// \returns false, with no effect, if BLAS cannot express the product
  template <class T>
  bool multiply(const ProductExtents& extents, T alpha, const MatrixBlock<const T>& a,
                const MatrixBlock<const T>& b, const MatrixBlock<T>& c, bool add) const;

  /// \name The number of threads of the library, if it can be set
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
  void (*_set_threads)(long) =
      nullptr;  // may have a parameter of type int instead: both types use the same register
  bool _sets_caller_only =
      false;  // with OpenMP, the number of threads is a property of the calling thread
  const char* (*_core_name)() = nullptr;
};

}  // namespace dash::internal
