// dash-test: serial link=objects process=own

#include "matrix/gemm/Blas.h"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "dash/Exception.h"
#include "dash/algorithm/internal/matrix/LocalProduct.h"
#include "dash/core/Settings.h"
#include "support/Catch.h"

using dash::internal::Blas;
using dash::internal::MatrixBlock;
using dash::internal::OneThreadedProducts;

namespace {

void set_blas(const char* name) {
  setenv("DART_BLAS", name, 1);
  dash::core::load_settings();
}

/// Access to the calls that the library of tests/support/StubBlas.c has recorded.
class Stub {
 public:
  Stub() : _library(dlopen(DASH_STUB_BLAS, RTLD_NOW | RTLD_LOCAL)) {
    INFO(DASH_STUB_BLAS);
    REQUIRE(_library != nullptr);
  }
  Stub(const Stub&) = delete;
  Stub& operator=(const Stub&) = delete;
  ~Stub() { dlclose(_library); }

  int threads() const { return call<int>("openblas_get_num_threads"); }
  void set_threads(int n) const { call<void>("openblas_set_num_threads", n); }
  int set_calls() const { return call<int>("stub_set_calls"); }
  int products() const { return call<int>("stub_products"); }
  void set_parallel(int by) const { call<void>("stub_set_parallel", by); }

 private:
  template <class R, class... Args>
  R call(const char* name, Args... args) const {
    return reinterpret_cast<R (*)(Args...)>(dlsym(_library, name))(args...);
  }

  void* _library;
};

/// Computes (1 2; 3 4) * (5 6; 7 8), added to a matrix of ones if requested.
double last_element(const Blas& blas, bool add) {
  const double a[] = {1, 2, 3, 4};
  const double b[] = {5, 6, 7, 8};
  double c[] = {1, 1, 1, 1};
  const MatrixBlock<const double> left{a, 2, 1};
  const MatrixBlock<const double> right{b, 2, 1};
  REQUIRE(blas.multiply<double>({2, 2, 2}, 1, left, right, {c, 2, 1}, add));
  return c[3];
}

}  // namespace

TEST_CASE("DART_BLAS with a library name loads it or throws; none selects no library") {
  const Stub stub;
  set_blas("none");
  CHECK_FALSE(Blas::find().has_value());
  set_blas("libnot-there.so.0");
  CHECK_THROWS_AS(Blas::find(), dash::exception::InvalidArgument);
  set_blas(DASH_STUB_BLAS);
  const std::optional<Blas> found = Blas::find();
  REQUIRE(found.has_value());
  CHECK(found->name() == DASH_STUB_BLAS);
  const int products = stub.products();
  CHECK(last_element(*found, false) == 50);
  CHECK(last_element(*found, true) == 51);
  CHECK(stub.products() == products + 2);
}

TEST_CASE(
    "a BLAS with a thread count per calling thread is set to one thread before each product") {
  const Stub stub;
  set_blas(DASH_STUB_BLAS);
  stub.set_threads(4);
  last_element(*Blas::find(), false);
  CHECK(stub.threads() == 4);
  constexpr int by_openmp = 2;
  stub.set_parallel(by_openmp);
  last_element(*Blas::find(), false);
  CHECK(stub.threads() == 1);
  stub.set_parallel(0);
}

TEST_CASE("DART_BLAS=auto selects the program's BLAS if its number of threads can be set") {
  set_blas("auto");
  // The reference implementation is slower than the built-in kernel.
  if (void* const reference = dlopen("libblas.so.3", RTLD_NOW | RTLD_GLOBAL)) {
    const bool is_reference = dlsym(reference, "openblas_set_num_threads") == nullptr &&
                              dlsym(reference, "bli_thread_set_num_threads") == nullptr;
    if (is_reference) {
      const std::optional<Blas> found = Blas::find();
      CHECK((!found || found->name() != "the program's BLAS"));
    }
    dlclose(reference);
  }
  void* const own = dlopen(DASH_STUB_BLAS, RTLD_NOW | RTLD_GLOBAL);
  REQUIRE(own != nullptr);
  const std::optional<Blas> found = Blas::find();
  REQUIRE(found.has_value());
  // A library that is already loaded may take precedence.
  if (dlsym(dlopen(nullptr, RTLD_NOW), "cblas_dgemm") == dlsym(own, "cblas_dgemm")) {
    CHECK(found->name() == "the program's BLAS");
    const int products = Stub().products();
    CHECK(last_element(*found, false) == 50);
    CHECK(Stub().products() == products + 1);
  }
  dlclose(own);
}

// The library is used for the life of the process.
TEST_CASE("the BLAS thread limit is set by the first product and restored by the last one") {
  const Stub stub;
  set_blas(DASH_STUB_BLAS);
  REQUIRE(dash::internal::product_library() == DASH_STUB_BLAS);
  stub.set_threads(5);
  {
    auto outer = std::make_unique<OneThreadedProducts>();
    CHECK(stub.threads() == 1);
    auto inner = std::make_unique<OneThreadedProducts>();
    CHECK(stub.threads() == 1);
    // The lifetimes of two threads' objects overlap without nesting.
    outer.reset();
    CHECK(stub.threads() == 1);
    inner.reset();
    CHECK(stub.threads() == 5);
  }
  stub.set_threads(1);
  const int calls = stub.set_calls();
  { const OneThreadedProducts nothing_to_do; }
  CHECK(stub.set_calls() == calls);
  CHECK(stub.threads() == 1);
  stub.set_threads(3);
  { const OneThreadedProducts again; }
  CHECK(stub.threads() == 3);
}
