#!/bin/sh
# Timelines of waits in a real browser, from file://: stalls, stacks at the pointer, threads that are folded, search.
# slow: a browser
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden/timeline

command -v node >/dev/null || { skip "timelines of waits" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "timelines of waits" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "timelines of waits" "no playwright-core: make check-deps"; exit; }

$render timeline -q -o "$tmp/made.svg" $data/made.folded || not_ok "drawing made"

# 500 threads: one is guilty, 60 run, and the others wait for work.
awk 'BEGIN {
	print "# pyrograph: root=thread,doing,by columns=time,count,longest spans=start unit=ns"
	print "# stall: start=1795342502.100000000 end=1795342502.200000000 threads=2 longest=100000000 waits=200000000 for=lock by=java-1/guilty did=ran"
	print "@1795342502.000000000 java-1/guilty;running 300000000 1 300000000"
	for (n = 0; n < 499; n++) {
		if (n < 60)
			printf "@1795342502.000000000 java-1/busy-%d;running %d 1 %d\n", n, 90000000 - n, 90000000 - n
		state = n < 2 ? "[lock];main;lock" : "[work];main;epoll_wait"
		printf "@1795342502.100000000 java-1/%s-%d;%s 100000000 1 100000000\n", n < 60 ? "busy" : "pool", n, state
	}
}' >"$tmp/many.folded"
$render timeline -q -o "$tmp/many.svg" "$tmp/many.folded" || not_ok "drawing many"

awk 'BEGIN {
	print "# pyrograph: root=thread,doing columns=time,count,longest spans=start unit=ns"
	for (n = 0; n < 8; n++)
		printf "@1795342502.000000000 java-1/ticket-worker-of-the-branch-office-%d;[lock];main;lock 100000000 1 100000000\n", n
}' >"$tmp/alike.folded"
$render timeline -q -o "$tmp/alike.svg" "$tmp/alike.folded" || not_ok "drawing alike"

{
	echo '# pyrograph: root=thread,doing columns=time,count,longest spans=start guilty=java-1/loop unit=ns'
	echo '# stall: start=1795342502.100000000 end=1795342502.200000000 threads=1 longest=100000000 waits=100000000 for=events by=java-1/loop in=load did=network'
	echo '# stall: start=1795342502.300000000 end=1795342502.320000000 threads=1 longest=20000000 waits=20000000 for=lock by=java-1/other did=ran'
	echo '@1795342502.000000000 java-1/loop;[network];main;load 400000000 1 400000000'
	echo '@1795342502.000000000 java-1/other;running 400000000 1 400000000'
} >"$tmp/lead.folded"
$render timeline -q -o "$tmp/lead.svg" "$tmp/lead.folded" || not_ok "drawing lead"

{
	echo '# pyrograph: root=thread,doing columns=time,count,longest spans=start short=1ms unit=ns'
	echo '@1475682100.000000000 a-1/web;[network] 100000000 1 100000000'
	echo '@1475682100.300000000 a-1/web;[network] 100000000 1 100000000'
	echo 'a-1/web;running 150000000 400 900000'
	echo 'a-1/web;[network] 20000000 400 900000'
} >"$tmp/busy.folded"
$render timeline -q -o "$tmp/busy.svg" "$tmp/busy.folded" || not_ok "drawing busy"

{
	echo '# pyrograph: root=thread,doing columns=time,count,longest spans=start unit=ns'
	echo '# stall: start=1795342502.100000000 end=1795342502.200000000 threads=2 longest=100000000 waits=200000000 for=lock by=java-1/loop did=ran'
	echo '# stall: start=1795342502.350000000 end=1795342502.354000000 threads=2 longest=4000000 waits=8000000 for=lock by=java-1/loop did=ran'
	echo '@1795342502.000000000 java-1/loop;running 400000000 1 400000000'
	echo '@1795342502.000000000 java-1/other;[work] 260000000 1 260000000'
	echo '@1795342502.260500000 java-1/other;[I/O] 19000000 1 19000000'
	echo '@1795342502.280000000 java-1/other;[work] 120000000 1 120000000'
} >"$tmp/moment.folded"
$render timeline -q -o "$tmp/moment.svg" "$tmp/moment.folded" || not_ok "drawing moment"

cd tests/browser || exit 1
timeout 600 node stalls.js "$tmp"
