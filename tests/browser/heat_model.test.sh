#!/bin/sh
# The model of heat maps in the browser's scripts, run in node; also with pictures that C drew.
# slow: models in node, against what C drew
. tests/tap.sh

command -v node >/dev/null || { skip "the heat map's model" "no node"; exit; }
TZ=Europe/Berlin timeout 600 node tests/browser/heat_model.mjs
timeout 600 node tests/browser/heat_c.mjs "$tmp"
