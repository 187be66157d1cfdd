#!/bin/sh
# Builds the Debian packages of the last commit twice, the second time in other directories and with another umask, time zone,
# language and home.  Exits 1 unless each .deb is the same bytes.  Takes minutes; for releases, not a part of make check.
#
#   tests/packaging/twice.sh DIRECTORY        where both go: DIRECTORY/one, DIRECTORY/two
set -e
[ $# = 1 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^VERSION := //p' Makefile)
# build NAME: binary packages only
build()
{
	rm -rf "${to:?}/$1"
	sh packaging/dist.sh "$version" "$to/$1" >"$to/$1.log"
	DEB_FLAGS=-b sh packaging/deb.sh "$version" "$to/$1" >>"$to/$1.log" 2>&1 || { tail -20 "$to/$1.log"; exit 1; }
}
build one
(umask 077 && mkdir -p "$to/home" && export TZ=Asia/Tokyo LC_ALL=C.UTF-8 HOME="$to/home" && build two)
status=0
for package in "$to"/one/*.deb; do
	cmp "$package" "$to/two/${package##*/}" && echo "the same: ${package##*/}" || status=1
done
exit $status
