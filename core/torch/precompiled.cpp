// Its only job: to carry the precompiled LibTorch header (core/CMakeLists.txt).
