#!/bin/sh
# Debian packages of the tarball that make dist made, built and checked by lintian.
#
#   packaging/deb.sh VERSION DIRECTORY      where the tarball is, and the packages go
#
# The packages are the same bytes in whatever directory, and by whomever, they are built: tests/packaging/twice.sh.
# The packages' changelog has one entry: the version, at the commit's time.
set -e
[ $# = 2 ] || { sed -n '4s/^# *//p' "$0" >&2; exit 2; }
version=$1 to=$(cd "$2" && pwd) maintainer=$(sh packaging/maintainer.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cp "$to/pyrograph-$version.tar.xz" "$work/pyrograph_$version.orig.tar.xz"
tar -xf "$to/pyrograph-$version.tar.xz" -C "$work"
cd "$work/pyrograph-$version"
cp -R packaging/debian debian
MAINTAINER=$maintainer awk '/^Maintainer:/ { $0 = "Maintainer: " ENVIRON["MAINTAINER"] } { print }' packaging/debian/control >debian/control
# Files of the tarball have the commit's time.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(stat -c %Y Makefile)}
export SOURCE_DATE_EPOCH
cat >debian/changelog <<end
pyrograph ($version-1) unstable; urgency=medium

  * Version $version; CHANGELOG.md says what is new.

 -- $maintainer  $(LC_ALL=C date -uRd "@$SOURCE_DATE_EPOCH")
end
DEB_BUILD_OPTIONS="parallel=${JOBS:-$(nproc)} noautodbgsym" dpkg-buildpackage -us -uc ${DEB_FLAGS:-}
cd "$work"
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.changes
for file in ./*.deb ./*.dsc ./*.debian.tar.* ./*.orig.tar.* ./*.changes ./*.buildinfo; do
	[ ! -e "$file" ] || mv "$file" "$to" # DEB_FLAGS=-b makes no source package
done
