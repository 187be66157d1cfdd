#!/bin/sh
# The page of pyrograph web in a real browser.
# slow: a browser
. tests/tap.sh

command -v node >/dev/null || { skip "the page in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "the page in a browser" "no chromium"; exit; }
(cd tests/browser && node -e 'require("playwright-core")') 2>/dev/null || {
	skip "the page in a browser" "no playwright-core: make check-deps"; exit; }

# picture FILE JSON: an SVG that would tell on whoever runs its script.
picture()
{
	mkdir -p "$(dirname -- "$1")"
	printf '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><metadata id="pyrograph">%s</metadata><rect width="40" height="20" fill="teal"/><script>parent.broken = top.broken = window.broken = 1; alert(1)</script></svg>\n' "$2" >"$1"
	touch -d 2026-11-21T12:00:00Z -- "$1"
}
dir=$tmp/charts
base='"unit":"samples","host":"db1"'
picture "$dir/db1-T1.svg" '{"kind":"flame","title":"CPU: whole machine","total":12345,"lost":"3/12348","losses":"throttled 3","start":"2026-11-21T09:00:00Z",'"$base}"
picture "$dir/db1-T2.svg" '{"kind":"flame","title":"CPU: whole machine","total":12345,"start":"2026-11-21T10:15:02Z",'"$base}"
picture "$dir/web-T0.svg" '{"kind":"flame","title":"CPU: nginx","total":5,"host":"web","start":"2026-11-20T10:15:02Z"}'
for thread in lbm-1:30 lbm-2:20 other:10; do
	picture "$dir/db1-T1-threads/${thread%:*}.svg" '{"kind":"flame","thread":"java-8/'"${thread%:*}"'","total":'"${thread#*:},$base}"
done
picture "$dir/$(printf '100%%41 ?#\377').svg" '{}'
picture "$dir/\"><img src=x onerror=window.broken=1>.svg" '{}'
$pyrograph web -q "$dir" || not_ok "the page"
cd tests/browser && timeout 600 node web.js "$dir"
