#!/bin/sh
# The model of the flame graph in a browser, in node.
. tests/tap.sh

command -v node >/dev/null || { skip "the flame graph's model" "no node"; exit; }
timeout 120 node tests/browser/model.js "$tmp"
