#pragma once

/// \file
/// Lets remote procedure calls send types that only the library cereal can serialize: shared and polymorphic pointers,
/// types of cereal/types/, and classes whose serialize() is private with `friend class cereal::access`. Include it, and the
/// headers of cereal for these types, before the calls, in each file that sends such types. Each argument is a separate
/// archive, so pointers that two arguments share are two objects at the target.

#if __has_include(<cereal/cereal.hpp>)

#include <cereal/cereal.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/Serialization.h"

namespace dash {

namespace internal {

/// Archives of cereal that write to and read from those of this library.
class CerealOutput : public cereal::OutputArchive<CerealOutput, cereal::AllowEmptyClassElision> {
 public:
  explicit CerealOutput(dash::OutputArchive& archive) : OutputArchive(this), _archive(archive) {}
  void saveBinary(const void* data, std::streamsize nbytes) {
    _archive.write(data, static_cast<std::size_t>(nbytes));
  }

 private:
  dash::OutputArchive& _archive;
};

class CerealInput : public cereal::InputArchive<CerealInput, cereal::AllowEmptyClassElision> {
 public:
  explicit CerealInput(dash::InputArchive& archive) : InputArchive(this), _archive(archive) {}
  void loadBinary(void* data, std::streamsize nbytes) {
    _archive.read(data, static_cast<std::size_t>(nbytes));
  }

 private:
  dash::InputArchive& _archive;
};

}  // namespace internal

}  // namespace dash

CEREAL_REGISTER_ARCHIVE(dash::internal::CerealOutput)
CEREAL_REGISTER_ARCHIVE(dash::internal::CerealInput)
CEREAL_SETUP_ARCHIVE_TRAITS(dash::internal::CerealInput, dash::internal::CerealOutput)

namespace dash {

namespace internal {

// What an archive of cereal has to define: numbers, names, sizes and blocks of bytes.
template <class T>
requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(CerealOutput& archive, const T& value) {
  archive.saveBinary(&value, sizeof value);
}
template <class T>
requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(CerealInput& archive, T& value) {
  archive.loadBinary(&value, sizeof value);
}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(CerealOutput& archive, cereal::NameValuePair<T>& pair) {
  archive(pair.value);
}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(CerealInput& archive, cereal::NameValuePair<T>& pair) {
  archive(pair.value);
}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(CerealOutput& archive, cereal::SizeTag<T>& tag) {
  archive(tag.size);
}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(CerealInput& archive, cereal::SizeTag<T>& tag) {
  archive(tag.size);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(CerealOutput& archive, const cereal::BinaryData<T>& data) {
  archive.saveBinary(data.data, static_cast<std::streamsize>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(CerealInput& archive, cereal::BinaryData<T>& data) {
  archive.loadBinary(data.data, static_cast<std::streamsize>(data.size));
}

}  // namespace internal

/// Types that cereal can serialize.
/// \ingroup rpc
template <class T>
struct Serializer<
    T, std::enable_if_t<cereal::traits::is_output_serializable<T, internal::CerealOutput>::value &&
                        cereal::traits::is_input_serializable<T, internal::CerealInput>::value>> {
  /// Writes a value.
  static void save(OutputArchive& archive, const T& value) {
    internal::CerealOutput output(archive);
    output(value);
  }
  /// Reads a value.
  static void load(InputArchive& archive, T& value) {
    internal::CerealInput input(archive);
    input(value);
  }
};

}  // namespace dash

#endif
