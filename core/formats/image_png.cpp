// PNG by libpng. libpng reports errors by longjmp, which must not pass C++ objects with
// destructors: the functions that call setjmp hold plain data only, everything else lives outside.
#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstring>

#include "core/base/error.h"
#include "core/formats/image.h"

namespace assay {
namespace {

constexpr std::uint64_t pixel_limit = 100'000'000;
// Deflate packs at most 1032 bytes into one; more than that is a lie in the header.
constexpr std::uint64_t deflate_ratio = 1040;

struct Source {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0, position = 0;
  char message[160] = {};
};

void on_error(png_structp png, png_const_charp message) {
  auto* source = static_cast<Source*>(png_get_error_ptr(png));
  if (message != nullptr) std::strncpy(source->message, message, sizeof source->message - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep out, png_size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->size - source->position) png_error(png, "the file is truncated");
  std::memcpy(out, source->data + source->position, count);
  source->position += count;
}

struct Reader {
  explicit Reader(Source* source)
      : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, source, on_error, on_warning)),
        info(png != nullptr ? png_create_info_struct(png) : nullptr) {}
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  png_structp png;
  png_infop info;
};

// Reads up to the pixels and asks for 8-bit grey, RGB or RGBA. False after a libpng error.
bool read_header(Reader& reader, Source* source) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_set_user_limits(reader.png, 1'000'000, 1'000'000);
  png_set_read_fn(reader.png, source, on_read);
  png_read_info(reader.png, reader.info);
  const int type = png_get_color_type(reader.png, reader.info);
  const bool transparent = png_get_valid(reader.png, reader.info, PNG_INFO_tRNS) != 0;
  png_set_scale_16(reader.png);
  png_set_expand(reader.png);
  // Grey with alpha has no place in Image: it comes as RGBA.
  if (type == PNG_COLOR_TYPE_GRAY_ALPHA || (type == PNG_COLOR_TYPE_GRAY && transparent))
    png_set_gray_to_rgb(reader.png);
  png_set_interlace_handling(reader.png);
  return true;
}

// False after a libpng error.
bool finish_header(Reader& reader) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_update_info(reader.png, reader.info);
  return true;
}

// Reads all passes into the rows and the file's end. False after a libpng error.
bool read_pixels(Reader& reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::unreadable, fmt::format("{}: damaged PNG: {}", name, why));
}

png_uint_32 png_format_of(int channels) {
  switch (channels) {
    case 1:
      return PNG_FORMAT_GRAY;
    case 3:
      return PNG_FORMAT_RGB;
    case 4:
      return PNG_FORMAT_RGBA;
    default:
      throw Error(ErrorKind::bad_input,
                  fmt::format("an image of {} channels cannot be a PNG: 1, 3 or 4", channels));
  }
}

}  // namespace

Image decode_png(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  if (bytes.size() < 8 || png_sig_cmp(bytes.data(), 0, 8) != 0) refuse(name, "no PNG signature");
  Source source{.data = bytes.data(), .size = bytes.size()};
  Reader reader(&source);
  if (reader.info == nullptr) throw Error(ErrorKind::failed, name + ": libpng did not start");
  if (!read_header(reader, &source)) refuse(name, source.message);
  const std::uint64_t width = png_get_image_width(reader.png, reader.info);
  const std::uint64_t height = png_get_image_height(reader.png, reader.info);
  const std::uint64_t packed_row = png_get_rowbytes(reader.png, reader.info);
  if (width * height > pixel_limit)
    refuse(name, fmt::format("{} x {} pixels; at most 100 million are read", width, height));
  if (packed_row * height > deflate_ratio * bytes.size())
    refuse(name,
           fmt::format("{} x {} pixels cannot come from {} bytes", width, height, bytes.size()));
  if (!finish_header(reader)) refuse(name, source.message);

  Image image;
  image.width = static_cast<int>(width);
  image.height = static_cast<int>(height);
  image.channels = png_get_channels(reader.png, reader.info);
  const std::size_t row_bytes = png_get_rowbytes(reader.png, reader.info);
  if (row_bytes != width * static_cast<std::size_t>(image.channels))
    refuse(name, "its pixels do not convert to 8 bits a channel");
  image.pixels.resize(row_bytes * height);
  std::vector<png_bytep> rows(height);
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = image.pixels.data() + y * row_bytes;
  if (!read_pixels(reader, rows.data())) refuse(name, source.message);
  return image;
}

std::vector<std::uint8_t> encode_png(const Image& image) {
  // libpng's simplified writer keeps its setjmp inside.
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.format = png_format_of(image.channels);
  if (image.width < 1 || image.height < 1 ||
      image.pixels.size() != static_cast<std::size_t>(image.width) *
                                 static_cast<std::size_t>(image.height) *
                                 static_cast<std::size_t>(image.channels))
    throw Error(ErrorKind::bad_input,
                fmt::format("an image of {} x {} x {} does not have {} bytes", image.width,
                            image.height, image.channels, image.pixels.size()));
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::vector<std::uint8_t> bytes(size);
  const int stride = image.width * image.channels;
  const int written = png_image_write_to_memory(&header, bytes.data(), &size, 0,
                                                image.pixels.data(), stride, nullptr);
  if (written == 0)
    throw Error(ErrorKind::failed, fmt::format("could not encode a PNG: {}", header.message));
  bytes.resize(size);
  return bytes;
}

}  // namespace assay
