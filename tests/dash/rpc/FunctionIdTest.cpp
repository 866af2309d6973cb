// dash-test: parallel units=2,3 layouts=node,nolocal modes=auto,poll

#include "dash/rpc/FunctionId.h"

#include <dlfcn.h>

#include <string>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Rpc.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace internal = dash::internal;

namespace {

using Function = int (*)(int);

/// A library of the tests, loaded until the end of the scope.
class Library {
 public:
  explicit Library(const char* path) : _handle(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    REQUIRE(_handle != nullptr);
  }
  ~Library() { dlclose(_handle); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  Function function() const {
    return reinterpret_cast<Function>(dlsym(_handle, "called_library_answer"));
  }

 private:
  void* _handle;
};

int twice(int n) {
  return 2 * n;
}

std::string search_error(const internal::FunctionId& id) {
  try {
    internal::find_function(id);
  } catch (const dash::exception::RuntimeError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("FunctionId: of functions: found again, of other memory: an error") {
  const auto* const address = reinterpret_cast<const void*>(&twice);
  const internal::FunctionId id = internal::function_id(address);
  CHECK(internal::find_function(id) == address);
  CHECK(id == internal::function_id(address));
  const int local = 0;
  CHECK_THROWS_AS(internal::function_id(&local), dash::exception::RuntimeError);
  CHECK_THROWS_AS(internal::function_id(nullptr), dash::exception::RuntimeError);
}

TEST_CASE("find_function: unknown programs and wrong offsets: errors that name them") {
  internal::FunctionId id = internal::function_id(reinterpret_cast<const void*>(&twice));
  id.offset = ~id.offset;
  CHECK(search_error(id).find("is not in the code of") != std::string::npos);
  CHECK(search_error({0x0807060504030201, 16}).find("0102030405060708") != std::string::npos);
  CHECK(search_error({}).find("has not loaded") != std::string::npos);
}

TEST_CASE("FunctionId: a library without a build id: an error that names it") {
  const Library library(DASH_LIBRARY_WITHOUT_ID);
  try {
    internal::function_id(reinterpret_cast<const void*>(library.function()));
    FAIL("a library without a build id has been accepted");
  } catch (const dash::exception::RuntimeError& error) {
    CHECK(std::string(error.what()).find("-Wl,--build-id") != std::string::npos);
    CHECK(std::string(error.what()).find("dash_called_library_without_id") != std::string::npos);
  }
}

TEST_CASE("rpc: a function of a library: runs if its target has loaded it, else fails") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  // Unit 1 loads the library later, and a different one before, so that the order of libraries differs.
  if (dash::myid() == 0) {
    const Library library(DASH_LIBRARY_WITH_ID);
    CHECK_THROWS_AS(dash::rpc(1, library.function(), 1).get(), dash::exception::RuntimeError);
    dash::barrier();
    dash::barrier();
    CHECK(dash::rpc(1, library.function(), 2).get() == 44);
    dash::barrier();
  } else if (dash::myid() == 1) {
    const Library first(DASH_LIBRARY_WITHOUT_ID);
    dash::barrier();
    const Library library(DASH_LIBRARY_WITH_ID);
    dash::barrier();
    CHECK(dash::rpc(0, library.function(), 1).get() == 43);
    dash::barrier();
  } else {
    dash::barrier();
    dash::barrier();
    dash::barrier();
  }
}
