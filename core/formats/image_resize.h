// Antialiased bilinear resizing of 8-bit images, and the centre crop that follows it.
#pragma once

#include "core/formats/image.h"

namespace assay {

// A triangle filter whose support grows with the reduction, first along x, then along y, as image
// libraries call "bilinear with antialiasing". Throws bad_input for sizes below 1.
Image resize_antialiased(const Image& image, int width, int height);

// The shorter side becomes `side` (the longer in proportion, rounded down), then the centre
// `side` x `side`.
Image resize_and_crop(const Image& image, int side);

// 1: grey by the luma weights of ITU-R 601; 3: RGB; an alpha channel is dropped.
Image with_channels(const Image& image, int channels);

}  // namespace assay
