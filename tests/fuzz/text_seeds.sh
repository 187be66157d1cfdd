#!/bin/sh
# Writes the first inputs of the fuzz target text: a byte that stands for a format, as in tests/fuzz/text.c, then text.
#
#   text_seeds.sh DIRECTORY
#
# The texts are the samples of tests, tests/collapse/formats/NAME.txt and NAME.WHAT.txt; the files
# tests/fuzz/text/FORMAT and FORMAT-WHAT; and profiles made by scripts.  FORMAT is a row of collapse/formats.h, NAME
# what --format calls it.
to=$1
row=0
for format in $(sed -n 's/^\tX(\([a-z0-9_]*\)).*/\1/p' collapse/formats.h); do
	[ "$format" != perfdata ] || continue
	first=$(printf '\\%03o' $((48 + row)))
	name=$(sed -n "/^const struct input_format ${format}_format/,/^}/s/.*\.name = \"\(.*\)\",/\1/p" collapse/text/*.c collapse/jvm/*.c collapse/script/*.c)
	for seed in tests/fuzz/text/"$format" tests/fuzz/text/"$format"-* \
		tests/collapse/formats/"$name".txt tests/collapse/formats/"$name".*.txt; do
		[ ! -e "$seed" ] || { printf "$first"; head -c 4000 "$seed"; } >"$to/$(basename "$seed" .txt)"
	done
	case $format in
	pprof|otlp|otlp_json) { printf "$first"; python3 tests/collapse/profiles.py "$name"; } >"$to/$format" ;;
	esac
	row=$((row + 1))
done
