#!/bin/sh
# pipeline: five programs at once, as people use them: make text, change it, sort
# it, pack it, take its checksum.  Which one is the brake?
export LC_ALL=C
seq 1 "${1:-3000000}" | tr 0-9 7392046185 | sort | gzip -6 | sha256sum
