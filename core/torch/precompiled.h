// Everything that includes LibTorch is compiled with this header, made once.
#pragma once
#include <ATen/core/ivalue.h>  // before torch.h: clang 14 needs it
#include <torch/torch.h>
