#include "solver/RowKernel.h"

#include "solver/Stencil.h"

namespace terrain {
namespace {

// The first and the last cell take a neighbour from the arguments, so that the loop in between has
// no branches.
[[gnu::always_inline]] inline void row(double* __restrict dst, const double* north,
                                       const double* mid, const double* south, double west,
                                       double east, std::size_t n, double alpha) noexcept {
  if (n == 0) return;
  if (n == 1) {
    dst[0] = diffuse(mid[0], north[0], south[0], west, east, alpha);
    return;
  }
  dst[0] = diffuse(mid[0], north[0], south[0], west, mid[1], alpha);
  for (std::size_t c = 1; c < n - 1; ++c) {
    dst[c] = diffuse(mid[c], north[c], south[c], mid[c - 1], mid[c + 1], alpha);
  }
  dst[n - 1] = diffuse(mid[n - 1], north[n - 1], south[n - 1], mid[n - 2], east, alpha);
}

#if defined(__x86_64__)
// Enables wider vectors only: the target does not include fused multiply-add, which would round
// differently.
[[gnu::target("avx2")]] void row_avx2(double* dst, const double* north, const double* mid,
                                      const double* south, double west, double east, std::size_t n,
                                      double alpha) noexcept {
  row(dst, north, mid, south, west, east, n, alpha);
}

const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#endif

}  // namespace

void diffuse_row(double* dst, const double* north, const double* mid, const double* south,
                 double west, double east, std::size_t n, double alpha) noexcept {
#if defined(__x86_64__)
  if (has_avx2) return row_avx2(dst, north, mid, south, west, east, n, alpha);
#endif
  row(dst, north, mid, south, west, east, n, alpha);
}

}  // namespace terrain
