#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

// Types of the library cereal, which this one does not include.
namespace cereal {
template <class T>
class NameValuePair;
template <class T>
class SizeTag;
template <class T>
struct BinaryData;
template <class Base>
struct base_class;
template <class Base>
struct virtual_base_class;
}  // namespace cereal

namespace dash {

class OutputArchive;
class InputArchive;

/// Serializes types that the archives cannot serialize otherwise; specialized in dash/serialization/Cereal.h. A
/// specialization has the functions save(OutputArchive&, const T&) and load(InputArchive&, T&).
template <class T, class = void>
struct Serializer {};

namespace internal {

// --- user types: members or functions as cereal's protocol names them ------------------------------------------------

template <class Archive, class T>
concept HasMemberSerialize = requires(Archive& archive, T& value) {
  value.serialize(archive);
};
template <class Archive, class T>
concept HasMemberSerializeVersion = requires(Archive& archive, T& value) {
  value.serialize(archive, std::uint32_t{});
};
template <class Archive, class T>
concept HasFreeSerialize = requires(Archive& archive, T& value) {
  serialize(archive, value);
};
template <class Archive, class T>
concept HasFreeSerializeVersion = requires(Archive& archive, T& value) {
  serialize(archive, value, std::uint32_t{});
};
template <class Archive, class T>
concept HasMemberSave = requires(Archive& archive, const T& value) {
  value.save(archive);
};
template <class Archive, class T>
concept HasMemberLoad = requires(Archive& archive, T& value) {
  value.load(archive);
};
template <class Archive, class T>
concept HasFreeSave = requires(Archive& archive, const T& value) {
  save(archive, value);
};
template <class Archive, class T>
concept HasFreeLoad = requires(Archive& archive, T& value) {
  load(archive, value);
};
template <class Archive, class T>
concept HasMemberSaveMinimal = requires(const Archive& archive, const T& value) {
  value.save_minimal(archive);
};
template <class Archive, class T>
concept HasFreeSaveMinimal = requires(const Archive& archive, const T& value) {
  save_minimal(archive, value);
};

template <class T>
concept UserSerialized =
    HasMemberSerialize<OutputArchive, T> || HasMemberSerializeVersion<OutputArchive, T> ||
    HasFreeSerialize<OutputArchive, T> || HasFreeSerializeVersion<OutputArchive, T> ||
    HasMemberSave<OutputArchive, T> || HasFreeSave<OutputArchive, T> ||
    HasMemberSaveMinimal<OutputArchive, T> || HasFreeSaveMinimal<OutputArchive, T>;

template <class T>
concept CustomSerialized = requires(OutputArchive& archive, const T& value) {
  Serializer<T>::save(archive, value);
};

// --- types of cereal -------------------------------------------------------------------------------------------------

template <class T, template <class> class Template>
inline constexpr bool is_specialization = false;
template <class T, template <class> class Template>
inline constexpr bool is_specialization<Template<T>, Template> = true;

/// The types of cereal that name or wrap other values.
template <class T>
inline constexpr bool is_cereal_wrapper =
    is_specialization<T, cereal::NameValuePair> || is_specialization<T, cereal::SizeTag> ||
    is_specialization<T, cereal::BinaryData> || is_specialization<T, cereal::base_class> ||
    is_specialization<T, cereal::virtual_base_class>;

// --- types of the standard library -----------------------------------------------------------------------------------

template <class T>
inline constexpr bool is_variant = false;
template <class... Ts>
inline constexpr bool is_variant<std::variant<Ts...>> = true;
template <class T>
inline constexpr bool is_unique_ptr = false;
/// Objects of derived classes need cereal, which registers them.
template <class T>
inline constexpr bool is_unique_ptr<std::unique_ptr<T>> =
    !std::is_array_v<T> && (std::is_final_v<T> || !std::is_polymorphic_v<T>);
template <class T>
inline constexpr bool is_reference_type = false;
template <class T>
inline constexpr bool is_reference_type<std::reference_wrapper<T>> = true;
template <class T>
inline constexpr bool is_reference_type<std::initializer_list<T>> = true;
template <class T, std::size_t N>
inline constexpr bool is_reference_type<std::span<T, N>> = true;
template <class Char, class Traits>
inline constexpr bool is_reference_type<std::basic_string_view<Char, Traits>> = true;

template <class T>
concept TupleLike = requires {
  std::tuple_size<T>::value;
}
&&!std::ranges::range<T>;

/// Values that are copied as bytes. A class with a pointer as a member cannot be recognized.
template <class T>
concept CopiedAsBytes =
    std::is_trivially_copyable_v<T> && !UserSerialized<T> && !std::is_pointer_v<T> &&
    !std::is_member_pointer_v<T> && !std::is_null_pointer_v<T> && !std::is_reference_v<T> &&
    !is_reference_type<T> && !is_specialization<T, std::optional> && !is_variant<T> &&
    !TupleLike<T> && !(std::is_array_v<T> && std::is_pointer_v<std::remove_all_extents_t<T>>);

/// Sequences whose elements are contiguous and copied as bytes: vector, string.
template <class T>
concept ContiguousContainer = std::ranges::contiguous_range<T> && !std::is_array_v<T> &&
                              requires(T & container, std::size_t n) {
  container.resize(n);
  container.data();
}
&&CopiedAsBytes<std::ranges::range_value_t<T>>;

/// Containers to which elements are added: vector, deque, list, forward_list, sets, maps.
template <class T>
concept AssociativeContainer = std::ranges::forward_range<T> && requires(T& container) {
  typename T::key_type;
  container.clear();
};
template <class T>
concept SequenceContainer = std::ranges::forward_range<T> && !AssociativeContainer<T> &&
                            requires(T & container, std::ranges::range_value_t<T>&& value) {
  container.push_back(std::move(value));
  container.clear();
};
template <class T>
concept ForwardList = std::ranges::forward_range<T> &&
    requires(T& container, std::ranges::range_value_t<T>&& value) {
  container.insert_after(container.before_begin(), std::move(value));
};
/// Arrays of the language, std::array.
template <class T>
concept FixedArray = std::is_array_v<T> ||
    (std::ranges::contiguous_range<T>&& requires { std::tuple_size<T>::value; });

/// The type of an element before it is inserted: the keys of maps are constant in theirs.
template <class T>
struct InsertedValue {
  using type = std::ranges::range_value_t<T>;
};
template <class T>
requires requires {
  typename T::mapped_type;
}
struct InsertedValue<T> {
  using type = std::pair<typename T::key_type, typename T::mapped_type>;
};

}  // namespace internal
}  // namespace dash
