#!/bin/sh
# record-dwarf.sh OUT.data [BYTES]: perf record --call-graph dwarf of a C++ and a Rust
# program being built (g++, as, ld and rustc are large binaries) and run (they have much
# debug information, and most calls are inlined): about 68 MB.
#
# OUT.files/ keeps the programs, because a profile needs their symbols.  Without rustc, only the C++ program is built.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: record-dwarf.sh OUT.data [BYTES]}
files=${out%.data}.files

mkdir -p "$files"
trap 'rm -f "$out.tmp"' EXIT
python3 "$here/dwarf_sources.py" "$files" 60
cat >"$files/build.sh" <<'END'
cd "$(dirname "$0")"
g++ -O2 -g large.cc -o large
! command -v rustc >/dev/null || rustc -O -g large.rs -o large.rs.bin
./large 22000 >/dev/null
[ ! -x large.rs.bin ] || ./large.rs.bin 40000 >/dev/null
END
perf record -q -N -F 199 --call-graph "dwarf,${2:-16384}" -k CLOCK_MONOTONIC -o "$out.tmp" -- sh "$files/build.sh"
mv "$out.tmp" "$out"
