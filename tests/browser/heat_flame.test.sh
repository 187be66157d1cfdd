#!/bin/sh
# The flame graph of what is selected in a heat map: its trees in node, its use in Chromium.
# slow: a browser
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render

command -v node >/dev/null || { skip "flame graphs in heat maps" "no node"; exit; }
timeout 600 node tests/browser/heat_flame_model.mjs "$render" "$tmp" || not_ok "the trees of ranges"

command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "flame graphs in heat maps, in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "flame graphs in heat maps, in a browser" "no playwright-core: make check-deps"; exit; }
node tests/browser/heat_fixture.mjs --all <<END || not_ok "making examples"
stall $tmp/stall.folded
second $tmp/second.folded
hostile $tmp/hostile.folded
hosts $tmp/hosts.folded
latency $tmp/latency.folded
hour $tmp/hour.svg
END
while read -r example options; do
	# shellcheck disable=SC2086
	$render heat -q $options -o "$tmp/$example.svg" "$tmp/$example.folded" || not_ok "drawing $example"
done <<'EXAMPLES'
stall
second
hostile
hosts --per host
latency --y value --log
EXAMPLES
# Three further inputs: the same samples with times of a monotonic clock, no samples, and one frame for all samples.
sed 's/ start=[^ ]*//; s/ end=[^ ]*//; s/ from=[^ ]*//; s/ to=[^ ]*//; s/^# pyrograph: /&clock=monotonic /
	s/@17953425/@25/' "$tmp/stall.folded" >"$tmp/relative.folded"
head -1 "$tmp/stall.folded" >"$tmp/empty.folded"
sed 's/ [^ #][^ ]*\( [0-9]*\)$/ points\1/; /^#/s/ root=[^ ]*/ root=none/' "$tmp/stall.folded" >"$tmp/one.folded"
for example in relative empty one; do
	$render heat -q -o "$tmp/$example.svg" "$tmp/$example.folded" || not_ok "drawing $example"
done
# Waits, in the form of collapse --offcpu --heat and of collapse --offcpu.
cat >"$tmp/waits.folded" <<'END'
# pyrograph: host=db1 event=offcpu root=comm,wait,thread,state spans=start short=1ms short-sums=890/1234000 unit=ns
@1795342502.100000000 java;[lock];java-1/a;sleeping;main;futex_wait_[k];--;serve_[w];java-1/b_[w] 50000000
@1795342502.200000000 java;[sleep];java-1/b;sleeping;main;nanosleep_[k] 20000000
@1795342502.300000000 db;[I/O];db-2/db;blocked-io;read;io_schedule_[k] 30000000
END
$render heat -q --y value --log -o "$tmp/waits.svg" "$tmp/waits.folded" || not_ok "drawing waits"
printf '%s\n' '# pyrograph: event=offcpu root=comm spans=start unit=ns' '@1795342502.1 db;read 5400000000' '@1795342505.1 db;read 1000000' \
	'@1795342507.1 db;read 1000000' | $render heat -q --y value --log --span 1s -o "$tmp/few.svg" || not_ok "drawing few"
sed -E 's/^@[^ ]* //; s/comm,wait,thread,state spans.* unit/comm,wait unit/; s/^([^;]*;\[[^;]*;)[^;]*;[^;]*;/\1/' "$tmp/waits.folded" >"$tmp/lines.folded"
$render flame -q --idle -o "$tmp/beside.svg" "$tmp/lines.folded" || not_ok "drawing the flame graph of waits"
timeout 600 node tests/browser/heat_flame.mjs "$tmp" "$render" || not_ok "the flame graph in a browser"
