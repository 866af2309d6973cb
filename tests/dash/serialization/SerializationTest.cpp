// dash-test: parallel units=1

#include "dash/Serialization.h"

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "support/Catch.h"
#include "support/Runner.h"

namespace {

/// What an archive writes for a value.
struct Bytes {
  std::unique_ptr<std::byte[]> memory;
  std::size_t nbytes = 0;

  std::span<const std::byte> all() const { return {memory.get(), nbytes}; }
};

template <class T>
Bytes saved(const T& value) {
  dash::OutputArchive counter;
  counter(value);
  Bytes bytes{std::make_unique<std::byte[]>(counter.position()), counter.position()};
  dash::OutputArchive archive(std::span(bytes.memory.get(), bytes.nbytes));
  archive(value);
  CHECK(archive.position() == bytes.nbytes);
  return bytes;
}

/// The value after it has been written and read, which are found to agree on the number of bytes.
template <class T>
T copied(const T& value) {
  const Bytes bytes = saved(value);
  dash::InputArchive archive(bytes.all());
  T result{};
  archive(result);
  CHECK(archive.remaining() == 0);
  return result;
}

struct Plain {
  int a = 0;
  double b = 0;
  bool operator==(const Plain&) const = default;
};

struct WithMember {
  std::string name;
  std::vector<int> values;
  bool operator==(const WithMember&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, values);
  }
};

struct WithVersion {
  std::string name;

  template <class Archive>
  void serialize(Archive& archive, std::uint32_t /*version*/) {
    archive& name;
  }
};

struct WithPair {
  std::string text;

  template <class Archive>
  void save(Archive& archive) const {
    archive(text.size());
    for (const char c : text)
      archive << c;
  }
  template <class Archive>
  void load(Archive& archive) {
    std::size_t size = 0;
    archive(size);
    text.resize(size);
    for (char& c : text)
      archive >> c;
  }
};

struct Minimal {
  std::string text;

  template <class Archive>
  std::string save_minimal(const Archive&) const {
    return text;
  }
  template <class Archive>
  void load_minimal(const Archive&, const std::string& value) {
    text = value;
  }
};

/// A trivially copyable type whose function takes precedence.
struct Chosen {
  int kept = 0;
  int dropped = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(kept);
  }
};

struct WritesNothing {
  std::string unused;

  template <class Archive>
  void serialize(Archive&) {}
};

}  // namespace

namespace elsewhere {

struct WithFunction {
  std::list<std::string> lines;
};
template <class Archive>
void serialize(Archive& archive, WithFunction& value) {
  archive(value.lines);
}

struct WithFunctions {
  std::string text;
};
template <class Archive>
void save(Archive& archive, const WithFunctions& value) {
  archive(value.text);
}
template <class Archive>
void load(Archive& archive, WithFunctions& value) {
  archive(value.text);
}

}  // namespace elsewhere

static_assert(dash::is_serializable<int> && dash::is_serializable<Plain>);
static_assert(dash::is_serializable<std::map<std::string, std::vector<WithMember>>>);
static_assert(dash::is_serializable<elsewhere::WithFunction>);
static_assert(!dash::is_serializable<int*> && !dash::is_serializable<const char*>);
static_assert(!dash::is_serializable<int Plain::*> && !dash::is_serializable<std::span<int>>);
static_assert(!dash::is_serializable<std::reference_wrapper<int>>);
static_assert(!dash::is_serializable<std::vector<int*>>);
static_assert(!dash::is_serializable<std::shared_ptr<int>>);
static_assert(!dash::is_serializable<std::function<void()>>);
static_assert(!dash::is_serializable<std::pair<std::string, const char*>>);

TEST_CASE("Archives: trivially copyable types: the same bytes") {
  CHECK(copied(5) == 5);
  CHECK(copied(2.5) == 2.5);
  CHECK(copied(Plain{3, 0.5}) == Plain{3, 0.5});
  CHECK(copied(std::array<int, 3>{1, 2, 3}) == std::array<int, 3>{1, 2, 3});
  CHECK(copied(std::complex<double>(1, 2)) == std::complex<double>(1, 2));
  CHECK(saved(Plain{}).nbytes == sizeof(Plain));
}

TEST_CASE("Archives: containers of the standard library: the same elements") {
  CHECK(copied(std::string("text")) == "text");
  CHECK(copied(std::u16string(u"text")) == u"text");
  CHECK(copied(std::vector<int>{1, 2, 3}) == std::vector<int>{1, 2, 3});
  CHECK(copied(std::vector<int>()).empty());
  CHECK(copied(std::vector<bool>{true, false, true}) == std::vector<bool>{true, false, true});
  const std::vector<std::string> words{"a", "", "longer than the small buffer of a string"};
  CHECK(copied(words) == words);
  CHECK(copied(std::deque<std::string>(words.begin(), words.end())).back() == words.back());
  CHECK(copied(std::list<std::string>(words.begin(), words.end())).size() == 3);
  const std::forward_list<std::string> forward(words.begin(), words.end());
  CHECK(copied(forward) == forward);
  CHECK(copied(std::array<std::string, 2>{"x", "y"}) == std::array<std::string, 2>{"x", "y"});
  CHECK(copied(std::set<std::string>{"x", "y"}) == std::set<std::string>{"x", "y"});
  CHECK(copied(std::multiset<int>{1, 1, 2}) == std::multiset<int>{1, 1, 2});
  const std::map<std::string, std::vector<int>> map{{"one", {1}}, {"none", {}}};
  CHECK(copied(map) == map);
  const std::unordered_map<int, std::string> unordered{{1, "one"}, {2, "two"}};
  CHECK(copied(unordered) == unordered);
  const std::multimap<int, int> multi{{1, 2}, {1, 3}};
  CHECK(copied(multi) == multi);
  CHECK(copied(std::unordered_set<int>{4, 5}) == std::unordered_set<int>{4, 5});
}

TEST_CASE("Archives: pairs, tuples, optional, variant, unique_ptr: the same values") {
  CHECK(copied(std::pair(1, std::string("x"))) == std::pair(1, std::string("x")));
  const std::tuple<int, std::string, std::vector<double>> tuple{1, "two", {3.0}};
  CHECK(copied(tuple) == tuple);
  CHECK(copied(std::optional<std::string>("x")) == "x");
  CHECK(copied(std::optional<int>()) == std::nullopt);
  using Variant = std::variant<std::monostate, int, std::string>;
  CHECK(copied(Variant("x")) == Variant("x"));
  CHECK(copied(Variant()) == Variant());
  const Bytes bytes = saved(std::make_unique<std::string>("owned"));
  dash::InputArchive archive(bytes.all());
  std::unique_ptr<std::string> owned;
  archive(owned);
  CHECK(*owned == "owned");
  CHECK(saved(std::unique_ptr<int>()).nbytes == 1);
}

TEST_CASE("Archives: types with functions in cereal's protocol: the functions are called") {
  CHECK(copied(WithMember{"n", {1, 2}}) == WithMember{"n", {1, 2}});
  CHECK(copied(WithVersion{"v"}).name == "v");
  CHECK(copied(WithPair{"pair"}).text == "pair");
  CHECK(copied(Minimal{"small"}).text == "small");
  CHECK(copied(elsewhere::WithFunction{{"a", "b"}}).lines == std::list<std::string>{"a", "b"});
  CHECK(copied(elsewhere::WithFunctions{"f"}).text == "f");
  CHECK(copied(Chosen{1, 2}).kept == 1);
  CHECK(copied(Chosen{1, 2}).dropped == 0);
  CHECK(copied(std::vector<WritesNothing>(3)).size() == 3);
}

TEST_CASE("InputArchive: a message that is cut off or changed: an error, at each length") {
  const std::map<std::string, std::vector<std::string>> value{{"key", {"a", "bc"}}, {"x", {}}};
  const Bytes bytes = saved(value);
  for (std::size_t nbytes = 0; nbytes < bytes.nbytes; ++nbytes) {
    dash::InputArchive archive(bytes.all().first(nbytes));
    std::map<std::string, std::vector<std::string>> read;
    CHECK_THROWS_AS(archive(read), dash::exception::RuntimeError);
  }
  // Any content leads to a value or to an error.
  std::mt19937 random(dash::test::seed());
  for (int i = 0; i < 2000; ++i) {
    Bytes changed = saved(value);
    for (int k = 0; k < 4; ++k)
      changed.memory[random() % changed.nbytes] = static_cast<std::byte>(random());
    dash::InputArchive archive(changed.all());
    std::map<std::string, std::vector<std::string>> read;
    try {
      archive(read);
    } catch (const dash::exception::RuntimeError&) {
    }
  }
  using Variant = std::variant<int, std::string>;
  Bytes invalid = saved(Variant(1));
  invalid.memory[0] = std::byte{7};
  dash::InputArchive archive(invalid.all());
  Variant read;
  CHECK_THROWS_AS(archive(read), dash::exception::RuntimeError);
}

TEST_CASE("OutputArchive: more bytes than its memory has: an error") {
  std::array<std::byte, 8> memory{};
  dash::OutputArchive archive(memory);
  archive(std::uint32_t{1});
  CHECK_THROWS_AS(archive(std::uint64_t{2}), dash::exception::RuntimeError);
  CHECK(archive.position() == 4);
}
