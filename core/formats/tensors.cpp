// Raw tensors: element types, sizes, conversions.
#include "core/formats/tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstring>

#include "core/base/error.h"
#include "core/formats/tensor_checks.h"

namespace assay {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are kept little-endian");

template <typename T>
RawTensor copied(DType dtype, const std::vector<T>& values, std::vector<std::int64_t> shape) {
  RawTensor tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  const std::optional<std::uint64_t> bytes = checked_bytes(dtype, tensor.shape);
  if (!bytes || *bytes != values.size() * sizeof(T))
    throw Error(ErrorKind::bad_input, fmt::format("{} values do not fill the shape [{}]",
                                                  values.size(), fmt::join(tensor.shape, ", ")));
  tensor.data.resize(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

template <typename T>
void append_values(const std::vector<std::uint8_t>& data, std::vector<double>& out) {
  for (std::size_t i = 0; i + sizeof(T) <= data.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, data.data() + i, sizeof value);
    out.push_back(static_cast<double>(value));
  }
}

double from_bfloat16(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

// IEEE 754 binary16.
double from_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1FU;
  const std::uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0) {  // zero and subnormals: fraction * 2^-24
    const double value = static_cast<double>(fraction) * 0x1p-24;
    return sign != 0 ? -value : value;
  }
  const std::uint32_t single_exponent = exponent == 31 ? 255U : exponent + 112U;
  return static_cast<double>(
      std::bit_cast<float>(sign | (single_exponent << 23) | (fraction << 13)));
}

template <typename Convert>
void append_16_bit(const std::vector<std::uint8_t>& data, std::vector<double>& out,
                   Convert convert) {
  for (std::size_t i = 0; i + 2 <= data.size(); i += 2)
    out.push_back(convert(static_cast<std::uint16_t>(data[i] | (data[i + 1] << 8))));
}

}  // namespace

std::size_t bytes_of(DType type) {
  switch (type) {
    case DType::f64:
    case DType::i64:
      return 8;
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f16:
    case DType::bf16:
    case DType::i16:
      return 2;
    case DType::i8:
    case DType::u8:
    case DType::boolean:
      return 1;
  }
  return 1;
}

std::string to_string(DType type) {
  switch (type) {
    case DType::f64:
      return "F64";
    case DType::f32:
      return "F32";
    case DType::f16:
      return "F16";
    case DType::bf16:
      return "BF16";
    case DType::i64:
      return "I64";
    case DType::i32:
      return "I32";
    case DType::i16:
      return "I16";
    case DType::i8:
      return "I8";
    case DType::u8:
      return "U8";
    case DType::boolean:
      return "BOOL";
  }
  return "";
}

std::optional<DType> dtype_named(std::string_view name) {
  for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i64, DType::i32,
                           DType::i16, DType::i8, DType::u8, DType::boolean})
    if (name == to_string(type)) return type;
  return std::nullopt;
}

std::optional<std::uint64_t> checked_bytes(DType dtype, const std::vector<std::int64_t>& shape) {
  std::uint64_t product = bytes_of(dtype);
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    empty = empty || extent == 0;
  }
  if (empty) return 0;
  for (const std::int64_t extent : shape)
    if (!multiply_checked(product, static_cast<std::uint64_t>(extent), product))
      return std::nullopt;
  if (product > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return product;
}

std::int64_t RawTensor::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

RawTensor RawTensor::from(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  return copied(DType::f32, values, std::move(shape));
}

RawTensor RawTensor::from(const std::vector<double>& values, std::vector<std::int64_t> shape) {
  return copied(DType::f64, values, std::move(shape));
}

RawTensor RawTensor::from(const std::vector<std::int64_t>& values,
                          std::vector<std::int64_t> shape) {
  return copied(DType::i64, values, std::move(shape));
}

std::vector<double> RawTensor::as_doubles() const {
  std::vector<double> out;
  out.reserve(data.size() / bytes_of(dtype));
  switch (dtype) {
    case DType::f64:
      append_values<double>(data, out);
      break;
    case DType::f32:
      append_values<float>(data, out);
      break;
    case DType::f16:
      append_16_bit(data, out, from_half);
      break;
    case DType::bf16:
      append_16_bit(data, out, from_bfloat16);
      break;
    case DType::i64:
      append_values<std::int64_t>(data, out);
      break;
    case DType::i32:
      append_values<std::int32_t>(data, out);
      break;
    case DType::i16:
      append_values<std::int16_t>(data, out);
      break;
    case DType::i8:
      append_values<std::int8_t>(data, out);
      break;
    case DType::u8:
    case DType::boolean:
      append_values<std::uint8_t>(data, out);
      break;
  }
  return out;
}

}  // namespace assay
