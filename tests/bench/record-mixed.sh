#!/bin/sh
# record-mixed.sh OUT.data [HZ]: record the whole machine with perf while
# workload.sh runs: the benchmark's input, about 14 MB at the default 999 Hz.
#
# OUT.files/ gets the sources of symbols: the programs that were built and recorded, and copies of the perf maps.  The
# maps themselves stay in /tmp, where perf script looks for them.  -N: leave perf's cache in $HOME alone.

set -eu
here=$(dirname "$0")
out=${1:?usage: record-mixed.sh OUT.data [HZ]}
files=${out%.data}.files

mkdir -p "$files"
trap 'rm -f "$out.tmp"' EXIT
touch "$files/started"
perf record -q -N -F "${2:-999}" -a -g -o "$out.tmp" -- "$here/workload.sh" "$files"
find /tmp -maxdepth 1 -name 'perf-[0-9]*.map' -newer "$files/started" -exec cp -p {} "$files" \;
mv "$out.tmp" "$out"
