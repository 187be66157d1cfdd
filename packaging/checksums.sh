#!/bin/sh
# DIRECTORY/SHA256SUMS: of all files in it.
#
#   packaging/checksums.sh DIRECTORY
set -e
cd "$1"
find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%f\n' | LC_ALL=C sort | xargs -d '\n' sha256sum >SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
