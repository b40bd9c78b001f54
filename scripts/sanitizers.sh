#!/usr/bin/env bash
# Builds and runs the native tests with sanitizers. Arguments: presets; default both.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- asan tsan
for preset in "$@"; do
  cmake --preset "$preset"
  cmake --build --preset "$preset" --target talefold_tests
  ctest --preset "$preset"
done
