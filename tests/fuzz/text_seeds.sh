#!/bin/sh
# Writes the first inputs of the fuzz target text: a byte that stands for a format, as in tests/fuzz/text.c, then text.
#
#   text_seeds.sh DIRECTORY
#
# They are the files tests/fuzz/text/FORMAT, FORMAT-WHAT, and made profiles.  Formats are the rows of
# collapse/formats.h.
to=$1
row=0
for format in $(sed -n 's/^\tX(\([a-z0-9_]*\)).*/\1/p' collapse/formats.h); do
	[ "$format" != perfdata ] || continue
	first=$(printf '\\%03o' $((48 + row)))
	for seed in tests/fuzz/text/"$format" tests/fuzz/text/"$format"-*; do
		[ ! -e "$seed" ] || { printf "$first"; cat "$seed"; } >"$to/${seed##*/}"
	done
	case $format in
	pprof|otlp) { printf "$first"; python3 tests/collapse/profiles.py "$format"; } >"$to/$format" ;;
	esac
	row=$((row + 1))
done
