# Warnings, position-independent code for everything (one precompiled LibTorch header serves
# libraries and programs alike), and ccache when it is there.
option(ASSAY_TESTS "Build the tests" ON)
option(ASSAY_SANITIZE "Build with address and undefined-behaviour sanitizers" OFF)

add_compile_options(-fPIC -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # false alarms within std::string (GCC bug 105651)
endif()
# -O3 costs build time and gains nothing here: the hot loops are LibTorch's or vectorised by hand.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# Same source, same bits: no contraction of a*b+c that would differ from one build to another.
add_compile_options(-ffp-contract=off)

if(ASSAY_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${ASSAY_CCACHE})
endif()

# Everything is found beside the programs: <prefix>/bin, <prefix>/lib/assay, build/bin, build/lib.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/assay;$ORIGIN;$ORIGIN/../..")
