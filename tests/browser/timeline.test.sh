#!/bin/sh
# Timelines: the data in node, and in a real browser, from file://.
# slow: a browser
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden/tenancy

command -v node >/dev/null || { skip "timelines" "no node"; exit; }
$render tenancy -q -o "$tmp/time.svg" $data/time.folded || not_ok "drawing time"
timeout 600 node tests/browser/timeline_model.js "$tmp/time.svg" $data/time.folded

command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "timelines in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "timelines in a browser" "no playwright-core: make check-deps"; exit; }

$render tenancy -q --by cpu -o "$tmp/cpu.svg" $data/time.folded || not_ok "drawing cpu"
$render tenancy -q -o "$tmp/idle.svg" $data/idle.folded || not_ok "drawing idle"
$render tenancy -q --by cpu -o "$tmp/idle-cpu.svg" $data/idle.folded || not_ok "drawing idle-cpu"
$render tenancy -q --by state -o "$tmp/waits.svg" $data/waits.folded || not_ok "drawing waits"
$render tenancy -q --total -o "$tmp/sums.svg" $data/time.folded || not_ok "drawing sums"
$render tenancy -q --total --by cpu -o "$tmp/sums-cpu.svg" $data/time.folded || not_ok "drawing sums-cpu"
$render tenancy -q -o "$tmp/hostile.svg" $data/hostile.folded || not_ok "drawing hostile"
$render tenancy -q --script timeline-shared.js -o "$tmp/shared.svg" $data/time.folded || not_ok "drawing shared"
$render script -o "$tmp/timeline-shared.js" timeline
awk 'BEGIN {
	print "# pyrograph: root=thread,cpu spans=start unit=ns"
	for (n = 0; n < 200000; n++)
		printf "@1795342502.%09d worker-%d/worker;cpu%d %d\n", n * 4900, n % 300 + 1000, n % 7, 1000 + n * 37 % 90000
	for (n = 0; n < 20000; n++)
		printf "@1795342502.%09d busy-1/busy;cpu%d 20000\n", n * 49000, n % 7
}' >"$tmp/big.folded"
$render tenancy -q -o "$tmp/big.svg" "$tmp/big.folded" || not_ok "drawing big"
{
	echo '<!DOCTYPE html><meta charset="utf-8"><body><h1>Report</h1>'
	sed 1d "$tmp/time.svg"
	sed 1d "$tmp/cpu.svg"
	echo '</body>'
} >"$tmp/page.html"

cd tests/browser || exit 1
timeout 600 node timeline.js "$tmp"
