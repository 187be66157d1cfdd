#!/bin/sh
# slow: a browser
# The files of collapse --out in speedscope, which reads its own format, Chrome's and pprof's.
. tests/tap.sh

command -v node >/dev/null || { skip "speedscope" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "speedscope" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] && [ -e tests/browser/node_modules/speedscope ] || {
	skip "speedscope" "no playwright-core or speedscope: make check-deps"; exit; }

cat >"$tmp/one.folded" <<'END'
# pyrograph: event=cpu-clock host=db1 losses="throttled 3" unit=samples
main;a<b>&"c\d;read 17
main;étage 5
main;étage;😀 3
other;=1+1 2
END
cat >"$tmp/spans.folded" <<'END'
# pyrograph: event=offcpu spans=start root=thread unit=ns
@1795342502.000000100 java-8513/dw-20;main;read 1000
@1795342502.000000200 java-8513/dw-20;main;lock 100
@1795342502.000000900 java-8513/dw-20;main;write 5000
java-8513/dw-20;main;read 777
END
for name in speedscope chrome pprof; do
	"$pyrograph" collapse -q --format folded --out $name "$tmp/one.folded" -o "$tmp/one.$name"
done
"$pyrograph" collapse -q --format folded --out speedscope "$tmp/spans.folded" -o "$tmp/spans.speedscope"

cd tests/browser || exit 1
timeout 300 node outputs.js "$tmp"
