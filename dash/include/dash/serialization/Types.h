#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "dash/Serialization.h"

namespace dash {

namespace internal {

/// Whether the archives themselves can serialize a type.
template <class T>
constexpr bool natively_serializable();

template <class T, std::size_t... I>
constexpr bool all_elements_serializable(std::index_sequence<I...>) {
  return (natively_serializable<std::remove_cv_t<std::tuple_element_t<I, T>>>() && ...);
}
template <class T>
constexpr bool all_alternatives_serializable() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (natively_serializable<std::variant_alternative_t<I, T>>() && ...);
  }
  (std::make_index_sequence<std::variant_size_v<T>>());
}

template <class T>
constexpr bool natively_serializable() {
  if constexpr (std::is_reference_v<T> || std::is_pointer_v<T> || is_reference_type<T>) {
    return false;
  } else if constexpr (UserSerialized<T> || CopiedAsBytes<T>) {
    return true;
  } else if constexpr (is_specialization<T, std::optional>) {
    return natively_serializable<typename T::value_type>();
  } else if constexpr (is_unique_ptr<T>) {
    return natively_serializable<typename T::element_type>();
  } else if constexpr (is_variant<T>) {
    return all_alternatives_serializable<T>();
  } else if constexpr (std::is_array_v<T>) {
    return natively_serializable<std::remove_extent_t<T>>();
  } else if constexpr (ContiguousContainer<T>) {
    return true;
  } else if constexpr (AssociativeContainer<T> || SequenceContainer<T> || ForwardList<T>) {
    return natively_serializable<typename InsertedValue<T>::type>();
  } else if constexpr (FixedArray<T>) {
    return natively_serializable<std::ranges::range_value_t<T>>();
  } else if constexpr (TupleLike<T>) {
    return all_elements_serializable<T>(std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    return false;
  }
}

/// Whether a type can be serialized, natively or by a Serializer, which never replaces the native form.
template <class T>
constexpr bool serializable() {
  if constexpr (natively_serializable<T>()) {
    return true;
  } else if constexpr (std::is_reference_v<T> || std::is_pointer_v<T> || is_reference_type<T>) {
    return false;
  } else {
    return CustomSerialized<T>;
  }
}

/// Reports, in plain words, why a type cannot be sent.
template <class T>
constexpr void require_serializable() {
  if constexpr (std::is_pointer_v<T> || std::is_member_pointer_v<T>) {
    static_assert(serializable<T>(),
                  "dash: a pointer cannot be sent to another unit, where its address has no "
                  "meaning; send the object, "
                  "std::string instead of const char*, or a global pointer");
  } else if constexpr (is_reference_type<T>) {
    static_assert(serializable<T>(),
                  "dash: a type that refers to other objects cannot be sent here; as an argument "
                  "of a remote procedure "
                  "call, pass std::span, std::string_view or dash::make_view(first, last) itself");
  } else {
    static_assert(serializable<T>(),
                  "dash: this type cannot be sent to another unit: it is not trivially copyable, "
                  "and has no function "
                  "serialize(), or save() and load() (docs/how-to/remote-calls.md)");
  }
}

template <class T>
void save_value(OutputArchive& archive, const T& value);
template <class T>
void load_value(InputArchive& archive, T& value);

inline void save_size(OutputArchive& archive, std::size_t size) {
  const std::uint64_t number = size;
  archive.write(&number, sizeof number);
}

/// Writes an element of a container, as at least one byte: readers compare the number of elements with that of bytes.
template <class T>
void save_element(OutputArchive& archive, const T& value) {
  const std::size_t before = archive.position();
  save_value(archive, value);
  if (archive.position() == before) archive.write("", 1);
}
template <class T>
void load_element(InputArchive& archive, T& value) {
  const std::size_t before = archive.remaining();
  load_value(archive, value);
  if (archive.remaining() == before) archive.take(1);
}

template <class T>
void save_user_type(OutputArchive& archive, const T& value) {
  // Functions that read and write take the object by reference.
  auto& object = const_cast<T&>(value);
  if constexpr (HasMemberSaveMinimal<OutputArchive, T>) {
    archive(value.save_minimal(archive));
  } else if constexpr (HasFreeSaveMinimal<OutputArchive, T>) {
    archive(save_minimal(archive, value));
  } else if constexpr (HasMemberSave<OutputArchive, T>) {
    value.save(archive);
  } else if constexpr (HasFreeSave<OutputArchive, T>) {
    save(archive, value);
  } else if constexpr (HasMemberSerialize<OutputArchive, T>) {
    object.serialize(archive);
  } else if constexpr (HasMemberSerializeVersion<OutputArchive, T>) {
    object.serialize(archive, std::uint32_t{});
  } else if constexpr (HasFreeSerialize<OutputArchive, T>) {
    serialize(archive, object);
  } else {
    serialize(archive, object, std::uint32_t{});
  }
}

template <class T>
void load_user_type(InputArchive& archive, T& value) {
  if constexpr (HasMemberSaveMinimal<OutputArchive, T>) {
    std::remove_cvref_t<decltype(value.save_minimal(std::declval<const OutputArchive&>()))> small{};
    archive(small);
    value.load_minimal(archive, small);
  } else if constexpr (HasFreeSaveMinimal<OutputArchive, T>) {
    std::remove_cvref_t<decltype(save_minimal(std::declval<const OutputArchive&>(), value))>
        small{};
    archive(small);
    load_minimal(archive, value, small);
  } else if constexpr (HasMemberLoad<InputArchive, T>) {
    value.load(archive);
  } else if constexpr (HasFreeLoad<InputArchive, T>) {
    load(archive, value);
  } else if constexpr (HasMemberSerialize<InputArchive, T>) {
    value.serialize(archive);
  } else if constexpr (HasMemberSerializeVersion<InputArchive, T>) {
    value.serialize(archive, std::uint32_t{});
  } else if constexpr (HasFreeSerialize<InputArchive, T>) {
    serialize(archive, value);
  } else {
    serialize(archive, value, std::uint32_t{});
  }
}

template <std::size_t I = 0, class Variant>
void load_alternative(InputArchive& archive, Variant& value, std::size_t index) {
  if constexpr (I < std::variant_size_v<Variant>) {
    if (index == I) return load_value(archive, value.template emplace<I>());
    load_alternative<I + 1>(archive, value, index);
  } else {
    throw exception::RuntimeError("a message contains an invalid alternative of a variant");
  }
}

template <class T>
void save_cereal_wrapper(OutputArchive& archive, const T& value) {
  if constexpr (is_specialization<T, cereal::NameValuePair>) {
    archive(value.value);
  } else if constexpr (is_specialization<T, cereal::SizeTag>) {
    save_size(archive, static_cast<std::size_t>(value.size));
  } else if constexpr (is_specialization<T, cereal::BinaryData>) {
    archive.write(value.data, static_cast<std::size_t>(value.size));
  } else {
    archive(*value.base_ptr);
  }
}
template <class T>
void load_cereal_wrapper(InputArchive& archive, T& value) {
  if constexpr (is_specialization<T, cereal::NameValuePair>) {
    archive(value.value);
  } else if constexpr (is_specialization<T, cereal::SizeTag>) {
    value.size = static_cast<std::remove_cvref_t<decltype(value.size)>>(archive.read_size());
  } else if constexpr (is_specialization<T, cereal::BinaryData>) {
    archive.read(value.data, static_cast<std::size_t>(value.size));
  } else {
    archive(*value.base_ptr);
  }
}

template <class T>
void save_value(OutputArchive& archive, const T& value) {
  if constexpr (is_cereal_wrapper<T>) {
    save_cereal_wrapper(archive, value);
  } else if constexpr (!serializable<T>()) {
    require_serializable<T>();
  } else if constexpr (!natively_serializable<T>()) {
    Serializer<T>::save(archive, value);
  } else if constexpr (UserSerialized<T>) {
    save_user_type(archive, value);
  } else if constexpr (CopiedAsBytes<T>) {
    archive.write(std::addressof(value), sizeof value);
  } else if constexpr (is_specialization<T, std::optional> || is_unique_ptr<T>) {
    save_value(archive, static_cast<std::uint8_t>(value ? 1 : 0));
    if (value) save_value(archive, *value);
  } else if constexpr (is_variant<T>) {
    if (value.valueless_by_exception())
      throw exception::InvalidArgument("a variant without a value cannot be sent");
    save_size(archive, value.index());
    std::visit([&](const auto& alternative) { save_value(archive, alternative); }, value);
  } else if constexpr (ContiguousContainer<T>) {
    save_size(archive, value.size());
    archive.write(value.data(), value.size() * sizeof *value.data());
  } else if constexpr (AssociativeContainer<T> || SequenceContainer<T> || ForwardList<T>) {
    save_size(archive, static_cast<std::size_t>(std::ranges::distance(value)));
    // A copy of each element, since those of std::vector<bool> are no objects.
    using Element = std::ranges::range_value_t<T>;
    for (auto it = value.begin(); it != value.end(); ++it)
      save_element<Element>(archive, *it);
  } else if constexpr (FixedArray<T>) {
    for (const auto& element : value)
      save_value(archive, element);
  } else {
    std::apply([&](const auto&... elements) { (save_value(archive, elements), ...); }, value);
  }
}

template <class T>
void load_container(InputArchive& archive, T& value) {
  value.clear();
  const std::size_t size = archive.read_size();
  if constexpr (requires { value.reserve(size); }) value.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    typename InsertedValue<T>::type element{};
    load_element(archive, element);
    if constexpr (AssociativeContainer<T>) {
      value.insert(std::move(element));
    } else {
      value.push_back(std::move(element));
    }
  }
}

template <class T>
void load_value(InputArchive& archive, T& value) {
  if constexpr (is_cereal_wrapper<T>) {
    load_cereal_wrapper(archive, value);
  } else if constexpr (!serializable<T>()) {
    require_serializable<T>();
  } else if constexpr (!natively_serializable<T>()) {
    Serializer<T>::load(archive, value);
  } else if constexpr (UserSerialized<T>) {
    load_user_type(archive, value);
  } else if constexpr (CopiedAsBytes<T>) {
    archive.read(std::addressof(value), sizeof value);
  } else if constexpr (is_specialization<T, std::optional>) {
    std::uint8_t has_value = 0;
    load_value(archive, has_value);
    value.reset();
    if (has_value != 0) load_value(archive, value.emplace());
  } else if constexpr (is_unique_ptr<T>) {
    std::uint8_t has_value = 0;
    load_value(archive, has_value);
    value.reset();
    if (has_value == 0) return;
    value = std::make_unique<typename T::element_type>();
    load_value(archive, *value);
  } else if constexpr (is_variant<T>) {
    std::uint64_t index = 0;
    archive.read(&index, sizeof index);
    load_alternative(archive, value, static_cast<std::size_t>(index));
  } else if constexpr (ContiguousContainer<T>) {
    const std::size_t size = archive.read_size(sizeof *value.data());
    value.resize(size);
    archive.read(value.data(), size * sizeof *value.data());
  } else if constexpr (ForwardList<T>) {
    value.clear();
    const std::size_t size = archive.read_size();
    auto last = value.before_begin();
    for (std::size_t i = 0; i < size; ++i) {
      last = value.emplace_after(last);
      load_element(archive, *last);
    }
  } else if constexpr (AssociativeContainer<T> || SequenceContainer<T>) {
    load_container(archive, value);
  } else if constexpr (FixedArray<T>) {
    for (auto& element : value)
      load_value(archive, element);
  } else {
    std::apply([&](auto&... elements) { (load_value(archive, elements), ...); }, value);
  }
}

}  // namespace internal

/// Whether the archives can write and read values of a type.
/// \ingroup rpc
template <class T>
inline constexpr bool is_serializable = internal::serializable<T>();

template <class... Ts>
OutputArchive& OutputArchive::operator()(const Ts&... values) {
  (internal::save_value(*this, values), ...);
  return *this;
}

template <class... Ts>
InputArchive& InputArchive::operator()(Ts&&... values) {
  (internal::load_value(*this, values), ...);
  return *this;
}

}  // namespace dash
