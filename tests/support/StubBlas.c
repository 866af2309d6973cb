/* A library with the C interface of BLAS that records its calls for a test. */

static int threads = 1;
static int set_calls;
static int products;
static int parallel;

/* Functions of OpenBLAS. */
int openblas_get_num_threads(void) {
  return threads;
}
void openblas_set_num_threads(int n) {
  threads = n;
  ++set_calls;
}
int openblas_get_parallel(void) {
  return parallel;
}

/* Functions for the test. */
int stub_set_calls(void) {
  return set_calls;
}
int stub_products(void) {
  return products;
}
void stub_set_parallel(int by_openmp) {
  parallel = by_openmp;
}

enum { row_major = 101, trans = 112 };

#define DEFINE_GEMM(name, type)                                                                  \
  void name(int order, int trans_a, int trans_b, int m, int n, int k, type alpha, const type* a, \
            int lda, const type* b, int ldb, type beta, type* c, int ldc) {                      \
    ++products;                                                                                  \
    if (order != row_major) return;                                                              \
    for (int i = 0; i < m; ++i) {                                                                \
      for (int j = 0; j < n; ++j) {                                                              \
        type sum = 0;                                                                            \
        for (int p = 0; p < k; ++p)                                                              \
          sum += (trans_a == trans ? a[(long)p * lda + i] : a[(long)i * lda + p]) *              \
                 (trans_b == trans ? b[(long)j * ldb + p] : b[(long)p * ldb + j]);               \
        type* const element = &c[(long)i * ldc + j];                                             \
        *element = alpha * sum + (beta == 0 ? 0 : beta * *element);                              \
      }                                                                                          \
    }                                                                                            \
  }

DEFINE_GEMM(cblas_dgemm, double)
DEFINE_GEMM(cblas_sgemm, float)
