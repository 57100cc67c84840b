#!/usr/bin/env bash
# Installs what Assay needs, builds it, and runs, tests, measures or packages it.
#   ./bootstrap.sh run [ARGUMENTS...]   build and open the window (without a display: headless tour)
#   ./bootstrap.sh test [CTEST OPTIONS] build and run every test (starts its own X server)
#   ./bootstrap.sh bench [NAME]         build and print the benchmark tables
#   ./bootstrap.sh fuzz [SECONDS]       fuzz every reader with libFuzzer (clang), SECONDS each
#   ./bootstrap.sh package              make a .deb in build/
#   ./bootstrap.sh build                only install and build
#   ./bootstrap.sh clean                remove build/
# Nothing is done twice: a second call with nothing changed goes straight to its job.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
build=build
export LC_ALL="${LC_ALL:-C.UTF-8}"

# One line a purpose; why each library is used stands in ARCHITECTURE.md.
packages=(
  g++ cmake ninja-build ccache git ca-certificates                       # building
  libtorch-dev libopenblas0-openmp                                       # mathematics
  qt6-base-dev qt6-svg-dev libqcustomplot-dev fonts-inter # window
  libsqlite3-dev libsqlitecpp-dev                                        # log
  nlohmann-json3-dev libtomlplusplus-dev libfmt-dev libcli11-dev
  libpng-dev libjpeg62-turbo-dev zlib1g-dev libssl-dev                   # formats
  dataset-fashion-mnist                                                  # default data
)
test_packages=(xvfb xauth poppler-utils util-linux)
fuzz_packages=(clang libclang-rt-dev)
package_packages=(file dpkg-dev desktop-file-utils appstream)

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
die() { printf 'bootstrap.sh: %s\n' "$*" >&2; exit 1; }

install_missing() {
  local missing=() name
  command -v dpkg-query >/dev/null || die "needs Debian 12 or a relative of it (no dpkg here). Install by hand: $*"
  for name in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing and sudo is not there; as root: apt-get install ${missing[*]}"
    sudo=(sudo)
  fi
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
}

jobs() {  # one job per core, but no more than memory carries (a LibTorch file takes about 2 GiB)
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ {print int($2 / 2097152)}' /proc/meminfo)
  [ "$memory" -lt 1 ] && memory=1
  echo $((cores < memory ? cores : memory))
}

build_all() {
  [ -f $build/build.ninja ] || cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release >&2
  cmake --build $build -j "$(jobs)" >&2
}

headless_tour() {
  say "No display here: running every paper's quick experiment without a window instead."
  local log report runs=() address
  log="${ASSAY_LOG:-${XDG_DATA_HOME:-$HOME/.local/share}/assay}"
  report="$PWD/$build/report"
  for address in $($build/bin/assay-run list | awk '/^  [a-z]/ {print $1}'); do
    say "assay-run run $address --preset quick"
    runs+=("$($build/bin/assay-run run "$address" --preset quick --log "$log" --json |
      sed -n 's/^{"run":"\([^"]*\)".*/\1/p')")
  done
  [ ${#runs[@]} -gt 0 ] || die "no experiment ran"
  QT_QPA_PLATFORM=offscreen $build/bin/assay --log "$log" --report "$report" "${runs[@]}"
  say "Log:    $log"
  say "Report: $report"
}

case "${1:-help}" in
  run)
    shift
    install_missing "${packages[@]}"
    build_all
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ $# -gt 0 ]; then
      exec $build/bin/assay "$@"
    fi
    headless_tour
    ;;
  test)
    shift
    install_missing "${packages[@]}" "${test_packages[@]}"
    build_all
    export QT_QPA_PLATFORM=xcb QT_LOGGING_RULES='qt.qpa.*=false'
    exec xvfb-run -a -s "-screen 0 2600x1500x24" \
      ctest --test-dir $build --output-on-failure -j "$(nproc)" "$@"
    ;;
  bench)
    shift
    install_missing "${packages[@]}" "${test_packages[@]}"
    build_all
    exec xvfb-run -a -s "-screen 0 2600x1500x24" $build/bin/assay-bench "$@"
    ;;
  fuzz)
    install_missing "${packages[@]}" "${fuzz_packages[@]}"
    [ -f build-fuzz/build.ninja ] ||
      cmake -S . -B build-fuzz -G Ninja -DASSAY_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++ >&2
    ASSAY_FUZZ_SECONDS="${2:-20}" exec cmake --build build-fuzz --target fuzz
    ;;
  package)
    install_missing "${packages[@]}" "${package_packages[@]}"
    build_all
    (cd $build && cpack -G DEB) >&2
    ls $build/*.deb
    ;;
  build)
    install_missing "${packages[@]}"
    build_all
    ;;
  clean) rm -rf $build build-fuzz ;;
  *)
    sed -n '2,11s/^# \{0,1\}//p' "$0"
    [ "${1:-help}" = help ] || exit 2
    ;;
esac
