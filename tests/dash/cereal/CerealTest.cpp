// dash-test: parallel units=1

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/Catch.h"
#include "support/Runner.h"

#if __has_include(<cereal/cereal.hpp>)

#include <cereal/archives/binary.hpp>
#include <cereal/types/base_class.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

#include "dash/serialization/Cereal.h"

namespace {

/// The constructor and the function are for cereal only.
class Private {
 public:
  explicit Private(std::string text) : _text(std::move(text)) {}
  const std::string& text() const { return _text; }

 private:
  friend class cereal::access;
  Private() = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(cereal::make_nvp("text", _text));
  }
  std::string _text;
};

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return number; }
  int number = 1;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(CEREAL_NVP(number));
  }
};

struct Derived : Base {
  int value() const override { return 10 * number + other; }
  int other = 2;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(cereal::base_class<Base>(this), other);
  }
};

/// Functions for archives of cereal, which use its names and sizes.
struct Named {
  std::string name;
  std::vector<int> values;

  template <class Archive>
  void save(Archive& archive) const {
    archive(CEREAL_NVP(name), cereal::make_size_tag(static_cast<cereal::size_type>(values.size())));
    archive(cereal::binary_data(values.data(), values.size() * sizeof(int)));
  }
  template <class Archive>
  void load(Archive& archive) {
    cereal::size_type size = 0;
    archive(CEREAL_NVP(name), cereal::make_size_tag(size));
    values.resize(size);
    archive(cereal::binary_data(values.data(), values.size() * sizeof(int)));
  }
};

template <class T>
T copied(const T& value) {
  dash::OutputArchive counter;
  counter(value);
  const auto memory = std::make_unique<std::byte[]>(counter.position());
  dash::OutputArchive output(std::span(memory.get(), counter.position()));
  output(value);
  dash::InputArchive input(std::span<const std::byte>(memory.get(), counter.position()));
  T result{};
  input(result);
  CHECK(input.remaining() == 0);
  return result;
}

}  // namespace

CEREAL_REGISTER_TYPE(Derived)

TEST_CASE("Types of cereal: shared and polymorphic pointers, private functions: the same values") {
  CHECK(*copied(std::make_shared<std::string>("shared")) == "shared");
  CHECK(copied(std::make_shared<Private>("hidden"))->text() == "hidden");
  const auto derived = std::make_shared<Derived>();
  derived->number = 4;
  const std::shared_ptr<Base> base = derived;
  CHECK(copied(base)->value() == 42);
  auto only = std::make_unique<Derived>();
  only->other = 5;
  CHECK(copied(std::unique_ptr<Base>(std::move(only)))->value() == 15);
  // Pointers that an argument contains twice are one object again.
  const auto one = std::make_shared<std::string>("one");
  const auto both = copied(std::pair(std::vector{one, one}, 1)).first;
  CHECK(*both[0] == "one");
  CHECK(both[0] == both[1]);
}

TEST_CASE("Names, sizes, base classes and blocks of cereal: read as they were written") {
  const Named copy = copied(Named{"n", {1, 2, 3}});
  CHECK(copy.name == "n");
  CHECK(copy.values == std::vector{1, 2, 3});
  Derived derived;
  derived.number = 3;
  derived.other = 5;
  CHECK(copied(derived).value() == 35);
}

#else

TEST_CASE("Types of cereal") {
  DASH_SKIP("the library cereal is not installed");
}

#endif
