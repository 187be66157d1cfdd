#!/bin/sh
# A steady load has no stripes in a heat map, whatever rate it was sampled at: rows differ by no more than chance.
# slow: two million samples
exec python3 tests/golden/heat_stripes.py
