#!/bin/sh
# Pictures of every kind of chart in a browser that prefers light or dark: contrast.js.
# slow: a browser
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden

command -v node >/dev/null || { skip "pictures in the dark" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "pictures in the dark" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "pictures in the dark" "no playwright-core: make check-deps"; exit; }

# draw NAME CHART FILE [OPTION ...]; pictures whose names begin with "state" show states
draw()
{
	name=$1 chart=$2 file=$3
	shift 3
	$render "$chart" -q --no-javascript -o "$tmp/$name.svg" "$@" "$file" || not_ok "drawing $name"
}
draw flame flame $data/flame/java.folded --colors java
draw flame-diff flame $data/flame/plain.folded --diff $data/flame/letters.folded
draw state-timeline timeline $data/timeline/made.folded
draw heat heat $data/heat/plain.folded
draw heat-hues heat $data/heat/plain.folded --by thread
draw state-states states $data/states/crowd.folded
draw state-waits states $data/states/starving.folded
draw noise states $data/states/noise.folded
draw state-tenancy tenancy $data/tenancy/time.folded
draw lanes lanes $data/lanes/made.folded
draw processes processes $data/processes/made.folded
(cd tests/browser && timeout 300 node contrast.js "$tmp"/*.svg)
