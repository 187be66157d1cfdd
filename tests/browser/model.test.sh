#!/bin/sh
# The model of the flame graph in a browser, in node.
. tests/tap.sh

command -v node >/dev/null || { skip "the flame graph's model" "no node"; exit; }

cat >"$tmp/model.folded" <<'END'
a 1
main;<b> & "c";read_[k] 3
main;<b> & "c";read 4000000
main;d 5
main;d.part.0 12345678901
main;d;e 6
END
${BUILD:-build}/pyrograph-render flame -q -o "$tmp/model.svg" "$tmp/model.folded" || not_ok "drawing"
timeout 120 node tests/browser/model.js "$tmp"
