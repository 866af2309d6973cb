// dash-test: parallel units=2 layouts=node modes=auto process=own

#include <cstddef>
#include <vector>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Rpc.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"

TEST_CASE("rpc: while the application uses the whole local pool: an error, and none afterwards") {
  std::vector<dart_gptr_t> allocated;
  dash::barrier();
  if (dash::myid() == 0) {
    for (std::size_t nbytes = std::size_t{1} << 20; nbytes >= 32; nbytes /= 2) {
      dart_gptr_t gptr = DART_GPTR_NULL;
      while (dart_memalloc(nbytes, DART_TYPE_BYTE, &gptr) == DART_OK)
        allocated.push_back(gptr);
    }
    CHECK_THROWS_WITH(dash::rpc(
                          1, [](int n) { return n; }, 1),
                      Catch::Matchers::Contains("DART_HEAP_SIZE"));
    for (const dart_gptr_t& gptr : allocated)
      CHECK(dart_memfree(gptr) == DART_OK);
    CHECK(dash::rpc(
              1, [](int n) { return n; }, 1)
              .get() == 1);
  }
  dash::barrier();
}
