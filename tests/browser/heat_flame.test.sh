#!/bin/sh
# The flame graph of what is selected in a heat map: its trees in node, its use in Chromium.
# slow: a browser
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render

command -v node >/dev/null || { skip "flame graphs in heat maps" "no node"; exit; }
timeout 600 node tests/browser/heat_flame_model.mjs "$render" "$tmp" || not_ok "the trees of ranges"

command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "flame graphs in heat maps, in a browser" "no chromium"; exit; }
(cd tests/browser && node -e 'require("playwright-core")') 2>/dev/null || {
	skip "flame graphs in heat maps, in a browser" "no playwright-core: make check-deps"; exit; }
while read -r example options; do
	node tests/browser/heat_fixture.mjs --lines "$example" >"$tmp/$example.folded" || not_ok "making $example"
	# shellcheck disable=SC2086
	$render heat -q $options -o "$tmp/$example.svg" "$tmp/$example.folded" || not_ok "drawing $example"
done <<'EXAMPLES'
stall
second
hostile
hosts --per host
latency --y value --log
EXAMPLES
# Of the kernel's clock, and without any event.
sed 's/ start=[^ ]*//; s/ end=[^ ]*//; s/ from=[^ ]*//; s/ to=[^ ]*//; s/^# pyrograph: /&clock=monotonic /
	s/@17953425/@25/' "$tmp/stall.folded" >"$tmp/relative.folded"
head -1 "$tmp/stall.folded" >"$tmp/empty.folded"
sed 's/ [^ #][^ ]*\( [0-9]*\)$/ points\1/; /^#/s/ root=[^ ]*/ root=none/' "$tmp/stall.folded" >"$tmp/one.folded"
for example in relative empty one; do
	$render heat -q -o "$tmp/$example.svg" "$tmp/$example.folded" || not_ok "drawing $example"
done
node tests/browser/heat_fixture.mjs hour "$tmp/hour.svg" || not_ok "making an hour"
timeout 600 node tests/browser/heat_flame.mjs "$tmp" "$render" || not_ok "the flame graph in a browser"
