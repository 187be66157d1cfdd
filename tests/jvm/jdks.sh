#!/bin/sh
# Installs other JVMs than Debian 12's into a directory, to run the tests of tests/jvm with them:
#
#   JAVAS="java $(sh tests/jvm/jdks.sh /var/tmp/jdks)" make run-tests TESTS=jvm
#
# They come from other releases of Debian: 11 runs as it is, 8, 21 and 25 with the C library of
# their release, in a chroot of their own (so this, and they, need root) that has the same files elsewhere.
# What is there already is left alone.  Prints the commands.
set -e
to=${1:?usage: jdks.sh DIRECTORY}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
mkdir -p "$to/root/usr" && cd "$to"

# unpack RELEASE PACKAGE DIRECTORY
unpack()
{
	[ ! -e ".done.$2" ] || return 0
	[ -e "packages.$1" ] || curl -fsS "$mirror/dists/$1/main/binary-amd64/Packages.xz" | xzcat >"packages.$1"
	file=$(awk -v wanted="$2" '/^Package: / { it = $2 == wanted } it && /^Filename: / { print $2; exit }' "packages.$1")
	curl -fsS -o package.deb "$mirror/$file"
	dpkg -x package.deb "$3"
	rm package.deb
	: >".done.$2"
}

unpack bullseye openjdk-11-jre-headless 11 >&2
for package in libc6 libgcc-s1 libstdc++6 zlib1g openjdk-21-jre-headless openjdk-25-jre-headless; do
	unpack trixie $package root >&2
done
unpack sid openjdk-8-jre-headless root >&2
for link in lib lib64 bin; do
	[ -e root/$link ] || ln -s usr/$link root/$link
done

ln -sf "$PWD/11/usr/lib/jvm/java-11-openjdk-amd64/bin/java" java11
for version in 8 21 25; do
	cat >java$version <<END
#!/bin/sh
exec unshare -m sh -c 'for dir in /*; do
	case \$dir in /usr|/bin|/lib*|/sbin|/etc) continue ;; esac
	[ -d "\$dir" ] && mkdir -p "$PWD/root\$dir" && mount --rbind "\$dir" "$PWD/root\$dir"
done
exec chroot "$PWD/root" /usr/lib/jvm/java-$version-openjdk-amd64/bin/java "\$@"' java "\$@"
END
	chmod +x java$version
done
rm -f packages.*
echo "$PWD/java8 $PWD/java11 $PWD/java21 $PWD/java25"
