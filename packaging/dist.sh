#!/bin/sh
# The source of the last commit as a tarball, the same bytes whoever makes it, and when: times are the commit's, files belong to
# root, their order and modes are git's, and one thread compresses.
#
#   packaging/dist.sh VERSION DIRECTORY
set -e
[ $# = 2 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
name=pyrograph-$1 to=$2
committed=$(git show HEAD:./Makefile | sed -n 's/^VERSION := //p')
[ "$committed" = "$1" ] || { echo "$0: the last commit is version $committed, not $1: commit first" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || echo "$0: what is not committed is left out" >&2
mkdir -p "$to"
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD >"$to/$name.tar"
xz -6 -T1 -f "$to/$name.tar"
sh packaging/checksums.sh "$to"
ls "$to/$name.tar.xz"
