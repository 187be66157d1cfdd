#!/bin/sh
# make dist: the same bytes twice, whoever makes it, and when; and they are those of the last commit.
# slow: compresses the tree twice
. tests/tap.sh

git rev-parse -q --verify HEAD >"$tmp/commit" 2>&1 || { skip "make dist" "no git repository"; exit 0; }
version=$(git show HEAD:./Makefile | sed -n 's/^VERSION := //p')
name=pyrograph-$version
status "make dist" 0 sh packaging/dist.sh "$version" "$tmp/one"
(umask 077 && TZ=Asia/Tokyo LC_ALL=C sh packaging/dist.sh "$version" "$tmp/two" >"$tmp/out" 2>&1)
status "... again, with another umask, time zone and language: the same bytes" 0 \
	cmp "$tmp/one/$name.tar.xz" "$tmp/two/$name.tar.xz"
(cd "$tmp/one" && sha256sum -c SHA256SUMS) >"$tmp/out" 2>&1
is "... with its checksum" "$(cat "$tmp/out")" "$name.tar.xz: OK"
tar -tvf "$tmp/one/$name.tar.xz" --numeric-owner --full-time --utc >"$tmp/list"
is "files belong to root" "$(awk '{ print $2 }' "$tmp/list" | sort -u)" 0/0
is "... and have the commit's time" "$(awk '{ print $4, $5 }' "$tmp/list" | sort -u)" \
	"$(TZ=UTC git log -1 --format=%cd --date='format-local:%Y-%m-%d %H:%M:%S')"
is "... in the directory of the version" "$(awk '{ sub("/.*", "", $6); print $6 }' "$tmp/list" | sort -u)" "$name"
tar -xf "$tmp/one/$name.tar.xz" -C "$tmp"
is "... all that git has" "$(cd "$tmp/$name" && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort | cksum)" \
	"$(git ls-tree -r --name-only HEAD | LC_ALL=C sort | cksum)"
status "a version that is not the commit's is refused" 1 sh packaging/dist.sh 0.0.1 "$tmp/three"
