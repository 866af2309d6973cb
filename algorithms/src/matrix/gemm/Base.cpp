#include "matrix/gemm/MicroKernel.h"

namespace dash::internal {

template <>
MicroKernel<double> base_kernel() {
  return RegisterTile<double, 16, 6>::kernel();
}
template <>
MicroKernel<float> base_kernel() {
  return RegisterTile<float, 16, 6>::kernel();
}

}  // namespace dash::internal
