#!/bin/sh
# pipeline: five programs at once, as people use them: make text, sort it, count
# it, pack it, take its checksum.  Which one is the brake?
seq 1 "${1:-3000000}" | rev | sort | uniq -c | gzip -6 | sha256sum
