# assay_provenance: a small library that says what was built: commit, local changes, compiler, flags.
#
# The source tree is looked at on every build, not only when CMake runs; the file it writes changes
# only when the answer does. It is a library of its own, and assay_core does not relink for it, so
# that an edit anywhere costs one small file and not every program.

get_directory_property(assay_options COMPILE_OPTIONS)
list(JOIN assay_options " " assay_options)
string(TOUPPER "${CMAKE_BUILD_TYPE}" assay_config)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${assay_config}} ${assay_options}" ASSAY_BUILD_FLAGS)
string(REGEX REPLACE "[\\\\\"]" "\\\\\\0" ASSAY_BUILD_FLAGS "${ASSAY_BUILD_FLAGS}")
unset(assay_options)
unset(assay_config)

set(assay_provenance_dir ${CMAKE_BINARY_DIR}/provenance)
configure_file(${CMAKE_SOURCE_DIR}/core/provenance/build_facts.cpp.in
               ${assay_provenance_dir}/build_facts.cpp @ONLY)

add_custom_target(assay_source_state
  COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${CMAKE_SOURCE_DIR}
          -D OUTPUT=${assay_provenance_dir}/source_state.cpp
          -P ${CMAKE_SOURCE_DIR}/cmake/AssayWriteSourceState.cmake
  BYPRODUCTS ${assay_provenance_dir}/source_state.cpp
  COMMENT "Looking at the state of the source tree"
  VERBATIM)

add_library(assay_provenance SHARED ${assay_provenance_dir}/build_facts.cpp
                                    ${assay_provenance_dir}/source_state.cpp)
add_dependencies(assay_provenance assay_source_state)
target_include_directories(assay_provenance PRIVATE ${CMAKE_SOURCE_DIR})
install(TARGETS assay_provenance DESTINATION lib/assay)
