#!/bin/sh
# Charts of bars: the model in node, and in a real browser, from file://.
# slow: a browser
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render

command -v node >/dev/null || { skip "charts of bars" "no node"; exit; }
timeout 600 node tests/browser/bars_model.js

command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "charts of bars in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "charts of bars in a browser" "no playwright-core: make check-deps"; exit; }

header='# pyrograph: host=db1 event=sched start=2026-11-21T10:15:02.000000000Z end=2026-11-21T10:15:12.000000000Z root=thread,state,by columns=time,count,longest unit=ns'
cat >"$tmp/spin.folded" <<END
$header
spin-a-4711/spin-a;running 5000000000 1200 9000000
spin-a-4711/spin-a;preempted;spin-b-4712/spin-b 4500000000 1203 8000000
spin-a-4711/spin-a;preempted;kworker/0:1-33 500000000 40 7000000
spin-b-4712/spin-b;running 7900000000 1300 8500000
spin-b-4712/spin-b;quantum-over;spin-a-4711/spin-a 1100000000 900 9000000
spin-b-4712/spin-b;sleeping 1000000000 2 600000000
java-8513/worker-1;running 1000000000 700 5000000
java-8513/worker-1;woken;spin-b-4712/spin-b 250000000 70 4000000
java-8513/worker-1;blocked-io 8750000000 690 80000000
java-8513/worker-2;running 2000000000 10 500000000
java-8513/worker-2;woken;java-8513/worker-1 1000000000 10 300000000
java-8513/worker-2;sleeping 2000000000 9 900000000
END
cat >"$tmp/hostile.folded" <<END
$header
<script>alert(1)</script>-7/"><img src=x onerror=alert(1)>;running 5000000000 1 5000000000
<script>alert(1)</script>-7/"><img src=x onerror=alert(1)>;preempted;</title></svg> 5000000000 1 5000000000
=1+cmd|calc-8/=1+cmd|calc;running 1000000000 2 500000000
__proto__;running 1000000 1 1000000
END
awk -v header="$header" 'BEGIN {
	print header
	for (t = 0; t < 500; t++) {
		printf "pool-%d/worker-%d;running %d 10 9\n", 1000 + t % 5, t, 1000000 * (t + 1)
		for (u = 0; u < 28; u++)
			printf "pool-%d/worker-%d;preempted;busy-%d/thread-%d %d %d 7\n", 1000 + t % 5, t, u, u, 10000000 + u * t, u + 1
		printf "pool-%d/worker-%d;sleeping %d 10 9\n", 1000 + t % 5, t, 9000000000 - 1000000 * t
	}
}' >"$tmp/big.folded"

{
	echo "$header"
	for thread in reporter matcher journal; do
		printf 'app-9/%s;running 4000000000 900 9000000\n' $thread
		printf 'app-9/%s;quantum-over;app-9/worker-22 2000000000 500 8000000\n' $thread
		printf 'app-9/%s;quantum-over;make-77/make 90000000 40 8000000\n' $thread
	done
	echo 'make-77/make;running 90000000 9 9000000'
	echo 'make-78/make;running 80000000 9 9000000'
} >"$tmp/family.folded"

{
	echo "$header"
	for n in 1 2; do
		printf 'java-8513/worker-%d;running 4000000000 900 9000000\n' $n
		printf 'java-8513/worker-%d;preempted;billing-4711/worker-of-the-settlement-service-%d 2000000000 500 8000000\n' $n $n
	done
} >"$tmp/long.folded"

for picture in spin hostile big family long; do
	$render states -q -o "$tmp/$picture.svg" "$tmp/$picture.folded" || not_ok "drawing $picture"
done
$render states -q -o "$tmp/told.svg" --headline 'app-9 used 0.10 of 2 CPUs.
6 threads of app-9 waited for a lock, up to 149 ms, 3 times, every 5.16 s: caused by index-builder: Stall.rebuildIndex > Stall.addEntry, via http-worker-1, http-worker-2, http-worker-3, http-worker-4
Look at the timeline.' "$tmp/family.folded" || not_ok "drawing a headline"
$render states -q --script bars-shared.js -o "$tmp/shared.svg" "$tmp/spin.folded" || not_ok "drawing shared"
$render script -o "$tmp/bars-shared.js" states
$render states -q --count -o "$tmp/count.svg" "$tmp/spin.folded" || not_ok "drawing count"
$render states -q -o "$tmp/noise.svg" tests/golden/states/noise.folded || not_ok "drawing noise"
$render states -q -o "$tmp/crowd.svg" tests/golden/states/crowd.folded || not_ok "drawing crowd"
printf '%s\n' 'a;running 5' 'a;sleeping 7' 'b;running 3' 'b;preempted;a 4' >"$tmp/plain.folded"
$render states -q -o "$tmp/plain.svg" "$tmp/plain.folded" || not_ok "drawing plain"

cat >"$tmp/cpus.folded" <<'END'
# pyrograph: host=db1 event=sched start=2026-11-21T10:15:02.000000000Z end=2026-11-21T10:15:12.000000000Z root=thread,cpu columns=time,count,longest,migrations unit=ns
java-8513/dw-1;cpu0 1000000000 100 9000000 3
java-8513/dw-1;cpu1 2000000000 90 8000000 4
java-8513/dw-2;cpu1 4000000000 80 7000000 0
idler-9/idler;cpu0 1000000 1 1000000 0
END
$render tenancy -q -o "$tmp/tenancy.svg" "$tmp/cpus.folded" || not_ok "drawing tenancy"
$render tenancy -q --by cpu -o "$tmp/cpus.svg" "$tmp/cpus.folded" || not_ok "drawing tenancy by CPU"

# A page with charts of two kinds in it.
$render flame -q -o "$tmp/flame.svg" "$tmp/spin.folded" || not_ok "drawing flame"
{
	echo '<!DOCTYPE html><meta charset="utf-8"><body><h1>Report</h1>'
	sed 1d "$tmp/flame.svg"
	sed 1d "$tmp/spin.svg"
	echo '</body>'
} >"$tmp/page.html"

cd tests/browser || exit 1
timeout 600 node bars.js "$tmp"
