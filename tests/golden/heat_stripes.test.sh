#!/bin/sh
# A steady load has no stripes in a heat map, at whatever rate it was sampled: differences between rows are no larger
# than chance.
# slow: two million samples
exec python3 tests/golden/heat_stripes.py
