#!/bin/sh
# The same source gives the same programs wherever it is built: BPF programs, which are embedded in the collector with the lines
# of their source, do not know in which directory that was.  tests/packaging/twice.sh, by hand, compares whole packages.
. tests/tap.sh
. tests/collect/common.sh

programs=$(find "${BUILD:-build}/bpf" -name '*.o' 2>/dev/null)
[ -n "$programs" ] || { skip "BPF programs" "this build has none"; exit 0; }
# shellcheck disable=SC2086 # words
is "no BPF program knows where it was built" "$(grep -lF "$PWD/" $programs)" ""
# shellcheck disable=SC2086
some "... they know their source" "$(grep -lF "bpf/kernel.h" $programs | wc -l)" 5
