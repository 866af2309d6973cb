// dash-test: parallel units=1,2,3 layouts=node

#include "dash/internal/StreamConversion.h"

#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/View.h"
#include "support/Catch.h"

namespace {

// Like a program with a using-directive.
using namespace dash;  // NOLINT(google-build-using-namespace)

template <class T>
std::string text_of(const T& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

TEST_CASE("StreamConversion: containers of the standard library and their elements") {
  CHECK(text_of(std::array<int, 3>{1, 2, 3}) == "{ 1,2,3 }");
  CHECK(text_of(std::vector<double>{}) == "{  }");
  CHECK(text_of(std::vector<bool>{true, false}) == "{ 1,0 }");
  CHECK(text_of(std::pair<int, char>{1, 'a'}) == "(1,a)");
  CHECK(text_of(std::map<int, std::string>{{1, "a"}, {2, "b"}}) == "{ (1,a),(2,b) }");
  CHECK(text_of(std::set<int>{3, 1}) == "{ 1,3 }");
  CHECK(text_of(std::vector<std::vector<int>>{{1}, {2, 3}}) == "{ { 1 },{ 2,3 } }");
  CHECK(text_of(std::pair<std::vector<int>, int>{{1}, 2}) == "({ 1 },2)");
}

TEST_CASE("StreamConversion: text is not printed as a range") {
  CHECK(text_of(std::string("abc")) == "abc");
  CHECK(text_of(std::string_view("abc")) == "abc");
  CHECK(text_of("abc") == "abc");
}

TEST_CASE("StreamConversion: units, arrays and views") {
  CHECK(text_of(dart_team_unit_t{3}) == "3");
  CHECK(text_of(dart_global_unit_t{4}) == "4");
  CHECK(text_of(dash::team_unit_t(5)) == "5");
  dash::Array<int> array(4);
  for (std::size_t i = 0; i < array.lsize(); ++i)
    array.local[i] =
        static_cast<int>(array.pattern().global(static_cast<dash::default_index_t>(i)));
  array.barrier();
  CHECK(text_of(array) == "{ 0,1,2,3 }");
  CHECK(text_of(dash::sub(1, 3, array)) == "{ 1,2 }");
  array.barrier();
}
