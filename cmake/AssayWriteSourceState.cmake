# Run as a script on every build: writes OUTPUT (C++) from the git state of SOURCE_DIR, only when it
# differs from what is there. Without git, or in an unpacked archive, the commit is "unknown".
set(patch_limit 262144)  # bytes kept of the local changes
set(known false)
set(commit unknown)
set(dirty false)
set(untracked "")
set(patch "")
set(truncated false)

# No lock is taken: a commit made meanwhile must not fail because of us.
set(ENV{GIT_OPTIONAL_LOCKS} 0)
find_program(GIT git)

function(git RESULT)
  execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} ${ARGN}
    OUTPUT_VARIABLE text RESULT_VARIABLE fault ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(fault)
    set(text "")
  endif()
  set(${RESULT} "${text}" PARENT_SCOPE)
endfunction()

# As a C++ string literal, a line each.
function(quote TEXT RESULT)
  string(REPLACE "\\" "\\\\" text "${TEXT}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\r" "\\r" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  set(${RESULT} "\"${text}\"" PARENT_SCOPE)
endfunction()

if(GIT)
  # The archive may lie inside somebody else's repository.
  git(top rev-parse --show-toplevel)
  file(REAL_PATH "${SOURCE_DIR}" source)
  if(top STREQUAL source)
    git(head rev-parse HEAD)
    if(head)
      set(known true)
      set(commit ${head})
    endif()
  endif()
endif()

if(known)
  git(changed status --porcelain --untracked-files=no)
  git(untracked ls-files --others --exclude-standard)
  if(changed OR untracked)
    set(dirty true)
  endif()
  if(changed)
    get_filename_component(folder ${OUTPUT} DIRECTORY)
    execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} diff --no-color --no-ext-diff HEAD
      OUTPUT_FILE ${folder}/source.patch ERROR_QUIET)
    file(SIZE ${folder}/source.patch bytes)
    if(bytes GREATER patch_limit)
      set(truncated true)
    endif()
    file(READ ${folder}/source.patch patch LIMIT ${patch_limit})
  endif()
endif()
string(LENGTH "${untracked}" length)
if(length GREATER 8192)
  string(SUBSTRING "${untracked}" 0 8192 untracked)
endif()

quote("${patch}" patch)
quote("${untracked}" untracked)
set(content "// Written by cmake/AssayWriteSourceState.cmake on every build; changes only when the state does.
#include \"core/provenance/build_state.h\"

namespace assay {

const SourceState& source_state() {
  static const SourceState state{
    .commit = \"${commit}\",
    .known = ${known},
    .dirty = ${dirty},
    .patch_truncated = ${truncated},
    .patch = ${patch},
    .untracked = ${untracked},
  };
  return state;
}

}  // namespace assay
")
set(previous "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} previous)
endif()
if(NOT content STREQUAL previous)
  file(WRITE ${OUTPUT} "${content}")
endif()
