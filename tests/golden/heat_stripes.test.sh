#!/bin/sh
# A steady load has no stripes in a heat map, whatever rate it was sampled at: rows differ by no more than chance.
# slow: two million samples
. tests/tap.sh

# judge RATE CPUS OPTIONS: the greatest deviation of a row, in standard deviations
judge()
{
	rate=$1 cpus=$2
	shift 2
	python3 tests/golden/heat_stripes.py lines "$rate" "$cpus" $((rate < 300 ? 60 : 20)) >"$tmp/steady.folded"
	"$pyrograph" render heat -q -f tsv "$@" "$tmp/steady.folded" 2>"$tmp/err" >"$tmp/cells" || cat "$tmp/err"
	python3 tests/golden/heat_stripes.py judge <"$tmp/cells"
}

# Of 50 sums that are left to chance, one is off by 3.5 standard deviations once in 50 pictures.
for rate in 49 97 99 100 131 199 250 499 997 999 1000; do
	for cpus in 1 8; do
		most=$(judge $rate $cpus)
		awk "BEGIN { exit !($most < 3.5) }" && ok "$rate Hz, $cpus CPUs: rows differ by $most standard deviations" ||
			not_ok "$rate Hz, $cpus CPUs: rows differ by less than chance" "$most"
	done
done
most=$(judge 99 1 --rows 50)
awk "BEGIN { exit !($most > 3.5) }" && ok "rows that do not fit have them: $most" || not_ok "rows that do not fit have them" "$most"
