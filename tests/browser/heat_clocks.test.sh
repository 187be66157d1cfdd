#!/bin/sh
# Hosts whose clocks may be off by more than a row: their cells are hatched, both in a picture and in a browser.
# slow: a browser
. tests/tap.sh
render="${BUILD:-build}/pyrograph-render heat -q --rows 10 --width 600"

# host NAME WITHIN OFFSETS: ten seconds with a sample at each of these offsets in second N; ALL: in each second
host()
{
	echo "# pyrograph: host=$1 event=cpu-clock from=2026-11-21T10:15:02.000000000Z to=2026-11-21T10:15:12.000000000Z" \
		"clock-within=$2 rate=10Hz cpus=0 root=host,comm unit=samples"
	n=0
	while [ $n -lt 10 ]; do
		echo "@$((1795256102 + n)).$3 $1;httpd;run 1"
		n=$((n + 1))
	done
}
for n in 1 2 3; do
	case $n in 1) within=1.28ms at=250000000 ;; 2) within=350ms at=550000000 ;; *) within=unsynchronized at=560000000 ;; esac
	host db$n $within $at >"$tmp/db$n"
done
hatched() { sed -n 's/.*<path class="hatched" [^>]*d="\([^"]*\)".*/\1/p' | tr 'M' '\n' | grep -c '[0-9]'; }
clock()   { sed -n 's/.*\(clock off[^<]*\)<.*/\1/p'; }

$render "$tmp/db1" "$tmp/db2" "$tmp/db3" >"$tmp/clocks.svg"
is "the legend tells of clocks that are off" "$(clock <"$tmp/clocks.svg")" "clock off by more than a row: db2 ±350 ms, db3 unsynchronized"
is "... the row with their events is hatched, and the legend" "$(hatched <"$tmp/clocks.svg")" 2
$render --per host "$tmp/db1" "$tmp/db2" "$tmp/db3" >"$tmp/per.svg"
is "a map for each host: of two hosts" "$(hatched <"$tmp/per.svg")" 3
is "... the first one is not" "$($render --per host "$tmp/db1" "$tmp/db1" | hatched)" 0
$render --rows 2 "$tmp/db1" "$tmp/db2" >"$tmp/wide.svg"
is "a row that is wider than the error" "$(clock <"$tmp/wide.svg")$(hatched <"$tmp/wide.svg")" 0
$render "$tmp/db3" >"$tmp/one.svg"
is "one host has one clock" "$(clock <"$tmp/one.svg")$(hatched <"$tmp/one.svg")" 0

# Lines of several hosts under one header, as a store returns them.
{
	sed -n '1s/host=db1/host="3 hosts" clock-hosts="db1 1.28ms, db2 350ms, db3 unsynchronized"/; 1s/ clock-within=1.28ms//p' "$tmp/db1"
	cat "$tmp/db1" "$tmp/db2" "$tmp/db3" | grep '^@'
} >"$tmp/fleet"
$render "$tmp/fleet" >"$tmp/fleet.svg"
is "lines of a store" "$(clock <"$tmp/fleet.svg")$(hatched <"$tmp/fleet.svg")" "$(clock <"$tmp/clocks.svg")2"

command -v node >/dev/null || { skip "clocks in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "clocks in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "clocks in a browser" "no playwright-core: make check-deps"; exit; }
cd tests/browser || exit 1
timeout 600 node heat_clocks.js "$tmp"
[ -z "${PICTURE:-}" ] || cp "$tmp/clocks.png" "$PICTURE"
