// JPEG by libjpeg(-turbo), read only. As with libpng, errors come by longjmp: the function that
// calls setjmp holds plain data only.
#include <cstdio>
// jpeglib.h needs FILE and size_t declared before it.
#include <fmt/format.h>
#include <jerror.h>
#include <jpeglib.h>

#include <csetjmp>

#include "core/base/error.h"
#include "core/formats/image.h"

namespace assay {
namespace {

constexpr std::uint64_t pixel_limit = 100'000'000;
// A block of 8x8 costs at least a bit or so; far more pixels than bytes is a lie in the header.
constexpr std::uint64_t pixels_per_byte = 4096;
// A progressive file of thousands of scans is an attack on our time.
constexpr int scan_limit = 500;

struct ErrorState {
  jpeg_error_mgr manager;
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

void on_error(j_common_ptr info) {
  auto* state = reinterpret_cast<ErrorState*>(info->err);
  info->err->format_message(info, state->message);
  std::longjmp(state->jump, 1);
}

// libjpeg fills what is missing with grey and only warns; for data that is an error.
void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
      return;
    default:
      on_error(info);
  }
}

void on_progress(j_common_ptr info) {
  const auto* decoder = reinterpret_cast<j_decompress_ptr>(info);
  if (decoder->input_scan_number <= scan_limit) return;
  auto* state = reinterpret_cast<ErrorState*>(info->err);
  std::snprintf(state->message, sizeof state->message, "more than %d scans", scan_limit);
  std::longjmp(state->jump, 1);
}

struct Decoder {
  Decoder() {
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = on_error;
    errors.manager.emit_message = on_message;
    errors.message[0] = '\0';
    progress.progress_monitor = on_progress;
  }
  ~Decoder() { jpeg_destroy_decompress(&info); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  jpeg_decompress_struct info{};
  ErrorState errors{};
  jpeg_progress_mgr progress{};
};

// False after a libjpeg error.
bool read_header(Decoder& decoder, const std::uint8_t* data, std::size_t size) {
  if (setjmp(decoder.errors.jump) != 0) return false;
  jpeg_create_decompress(&decoder.info);
  decoder.info.progress = &decoder.progress;
  jpeg_mem_src(&decoder.info, data, static_cast<unsigned long>(size));
  jpeg_read_header(&decoder.info, TRUE);
  decoder.info.out_color_space = decoder.info.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  return true;
}

// Decodes into `pixels` of the size the header promised. False after a libjpeg error.
bool read_pixels(Decoder& decoder, std::uint8_t* pixels, std::size_t row_bytes) {
  if (setjmp(decoder.errors.jump) != 0) return false;
  jpeg_start_decompress(&decoder.info);
  while (decoder.info.output_scanline < decoder.info.output_height) {
    JSAMPROW row = pixels + decoder.info.output_scanline * row_bytes;
    jpeg_read_scanlines(&decoder.info, &row, 1);
  }
  jpeg_finish_decompress(&decoder.info);
  return true;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::unreadable, fmt::format("{}: damaged JPEG: {}", name, why));
}

}  // namespace

Image decode_jpeg(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  if (bytes.size() < 4) refuse(name, "too short");
  Decoder decoder;
  if (!read_header(decoder, bytes.data(), bytes.size())) refuse(name, decoder.errors.message);
  if (decoder.info.num_components != 1 && decoder.info.num_components != 3)
    throw Error(ErrorKind::unreadable,
                fmt::format("{}: a JPEG of {} colour channels (CMYK?); convert it to RGB", name,
                            decoder.info.num_components));
  const std::uint64_t width = decoder.info.image_width, height = decoder.info.image_height;
  if (width * height > pixel_limit)
    refuse(name, fmt::format("{} x {} pixels; at most 100 million are read", width, height));
  if (width * height > pixels_per_byte * bytes.size())
    refuse(name,
           fmt::format("{} x {} pixels cannot come from {} bytes", width, height, bytes.size()));
  Image image;
  image.width = static_cast<int>(width);
  image.height = static_cast<int>(height);
  image.channels = decoder.info.num_components;
  const std::size_t row_bytes = width * static_cast<std::size_t>(image.channels);
  image.pixels.resize(row_bytes * height);
  if (!read_pixels(decoder, image.pixels.data(), row_bytes)) refuse(name, decoder.errors.message);
  return image;
}

}  // namespace assay
