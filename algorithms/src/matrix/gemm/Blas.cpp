#include "matrix/gemm/Blas.h"

#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <string_view>
#include <type_traits>

#include "dash/Exception.h"
#include "dash/core/Settings.h"

namespace dash::internal {

namespace {

/// Optimized implementations; `libblas.so.3` is not listed because it may be the reference
/// implementation.
constexpr const char* known_libraries[] = {"libopenblas.so.0", "libblis.so.4"};

// Constants of the CBLAS interface.
constexpr int row_major = 101;
constexpr int no_trans = 111;
constexpr int trans = 112;

constexpr int openblas_by_openmp = 2;

template <class Function>
void load_symbol(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

/// An operand of BLAS in row-major order; `ld` is 0 if BLAS cannot represent it.
struct Layout {
  int transposed = no_trans;
  int ld = 0;
};

/// \param rows, cols  extents of the block
template <class T>
Layout layout_of(const MatrixBlock<T>& block, std::ptrdiff_t rows, std::ptrdiff_t cols) {
  const bool by_rows = block.col_stride == 1;
  if (!by_rows && block.row_stride != 1) return {};
  const auto ld = by_rows ? std::max(block.row_stride, cols) : std::max(block.col_stride, rows);
  return {by_rows ? no_trans : trans, ld <= INT_MAX ? static_cast<int>(ld) : 0};
}

}  // namespace

const Blas* Blas::instance() {
  static const std::optional<Blas> found = find();
  return found ? &*found : nullptr;
}

std::optional<Blas> Blas::find() {
  const std::string& wanted = core::settings().blas;
  if (wanted == "none") return std::nullopt;
  if (wanted != "auto" && !wanted.empty()) {
    auto named = open(wanted.c_str());
    if (!named) {
      DASH_THROW(exception::InvalidArgument,
                 "DART_BLAS is \"" << wanted
                                   << "\", which is not a library with cblas_dgemm and "
                                      "cblas_sgemm, nor auto or none");
    }
    return named;
  }
  // A BLAS library that the program is linked with takes precedence.
  if (auto own = open(nullptr); own && own->is_fast()) return own;
  for (const char* const name : known_libraries) {
    if (auto known = open(name); known && known->is_fast()) return known;
  }
  return std::nullopt;
}

/// \param name  library to open, or nullptr for the program itself
std::optional<Blas> Blas::open(const char* name) {
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  Blas blas(name != nullptr ? name : "the program's BLAS");
  load_symbol(library, "cblas_dgemm", blas._dgemm);
  load_symbol(library, "cblas_sgemm", blas._sgemm);
  if (blas._dgemm == nullptr || blas._sgemm == nullptr) {
    dlclose(library);
    return std::nullopt;
  }
  load_symbol(library, "openblas_get_num_threads", blas._get_threads);
  load_symbol(library, "openblas_set_num_threads", blas._set_threads);
  load_symbol(library, "openblas_get_corename", blas._core_name);
  int (*get_parallel)() = nullptr;
  load_symbol(library, "openblas_get_parallel", get_parallel);
  blas._sets_caller_only = get_parallel != nullptr && get_parallel() == openblas_by_openmp;
  if (blas._set_threads == nullptr) {
    load_symbol(library, "bli_thread_get_num_threads", blas._get_threads);
    load_symbol(library, "bli_thread_set_num_threads", blas._set_threads);
  }
  return blas;
}

/// Whether the library is expected to be at least as fast as the built-in kernel. This excludes the
/// reference implementation, and an OpenBLAS that is older than the processor and therefore uses
/// vectors of half the supported length.
bool Blas::is_fast() const {
  if (_set_threads == nullptr) return false;
#if defined(__x86_64__)
  if (_core_name != nullptr && __builtin_cpu_supports("avx512f")) {
    const std::string_view core = _core_name();
    return core != "Haswell" && core != "Zen";
  }
#endif
  return true;
}

template <class T>
bool Blas::multiply(const ProductExtents& extents, T alpha, const MatrixBlock<const T>& a,
                    const MatrixBlock<const T>& b, const MatrixBlock<T>& c, bool add) const {
  if (c.col_stride != 1 && c.row_stride == 1) {
    return multiply<T>({extents.n, extents.m, extents.k}, alpha, b.transposed(), a.transposed(),
                       c.transposed(), add);
  }
  const Layout layout_a = layout_of(a, extents.m, extents.k);
  const Layout layout_b = layout_of(b, extents.k, extents.n);
  const Layout layout_c = layout_of(c, extents.m, extents.n);
  if (std::max({extents.m, extents.n, extents.k}) > INT_MAX || layout_a.ld == 0 ||
      layout_b.ld == 0 || layout_c.ld == 0 || c.col_stride != 1) {
    return false;
  }
  if (_sets_caller_only) set_threads(1);
  const auto gemm = [&] {
    if constexpr (std::is_same_v<T, double>) return _dgemm;
    if constexpr (std::is_same_v<T, float>) return _sgemm;
  }();
  gemm(row_major, layout_a.transposed, layout_b.transposed, static_cast<int>(extents.m),
       static_cast<int>(extents.n), static_cast<int>(extents.k), alpha, a.data, layout_a.ld, b.data,
       layout_b.ld, add ? T{1} : T{0}, c.data, layout_c.ld);
  return true;
}

template bool Blas::multiply<double>(const ProductExtents&, double,
                                     const MatrixBlock<const double>&,
                                     const MatrixBlock<const double>&, const MatrixBlock<double>&,
                                     bool) const;
template bool Blas::multiply<float>(const ProductExtents&, float, const MatrixBlock<const float>&,
                                    const MatrixBlock<const float>&, const MatrixBlock<float>&,
                                    bool) const;

}  // namespace dash::internal
