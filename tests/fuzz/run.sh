#!/usr/bin/env bash
# run.sh FOLDER (PROGRAM CORPUS)...: each fuzz program for ASSAY_FUZZ_SECONDS (20). Stops at the first
# find with the input that shows it left in FOLDER.
set -euo pipefail
seconds=${ASSAY_FUZZ_SECONDS:-20}
folder=$1
shift
while [ $# -gt 1 ]; do
  name=$(basename "$1")
  echo "== $name, $seconds s"
  if ! "$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -malloc_limit_mb=1500 \
      -max_len=65536 -print_final_stats=1 -artifact_prefix="$folder/$name-" "$2" >"$folder/$name.txt" 2>&1; then
    tail -n 40 "$folder/$name.txt"
    echo "== $name found something: the input is $folder/$name-*, the report $folder/$name.txt" >&2
    exit 1
  fi
  grep -E 'number_of_executed_units|peak_rss_mb' "$folder/$name.txt"
  shift 2
done
echo "== nothing found"
