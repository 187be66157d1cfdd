#!/bin/sh
# Installs other JVMs than Debian 12's into a directory, to run the tests of tests/jvm with them:
#
#   JAVAS="java $(sh tests/jvm/jdks.sh /var/tmp/jdks)" make run-tests TESTS=jvm
#   JAVAS="$(sh tests/jvm/jdks.sh /var/tmp/jdks 27 28)" ...
#
# They come from Debian's unstable release, and run with its C library in their own chroot, so this script and the JVMs
# need root; other files are the same there.  JVMs that are already installed are left alone.  Prints the commands.
set -e
to=${1:?usage: jdks.sh DIRECTORY [VERSION ...]}
shift
versions=${*:-8 11 21 25 26 27 28}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
mkdir -p "$to/root/usr" && cd "$to"

# unpack PACKAGE: into root
unpack()
{
	[ ! -e ".done.$1" ] || return 0
	[ -e packages ] || curl -fsS "$mirror/dists/sid/main/binary-amd64/Packages.xz" | xzcat >packages
	file=$(awk -v wanted="$1" '/^Package: / { it = $2 == wanted } it && /^Filename: / { print $2; exit }' packages)
	[ -n "$file" ] || { echo "jdks.sh: Debian's unstable release has no $1" >&2; exit 1; }
	curl -fsS -o package.deb "$mirror/$file"
	dpkg -x package.deb root
	rm package.deb
	: >".done.$1"
}

for package in libc6 libgcc-s1 libstdc++6 zlib1g $(printf 'openjdk-%s-jre-headless ' $versions); do
	unpack $package
done
for link in lib lib64 bin; do
	[ -L root/$link ] || ln -s usr/$link root/$link
done

for version in $versions; do
	cat >java$version <<END
#!/bin/sh
exec unshare -m sh -c 'for dir in /*; do
	case \$dir in /usr|/bin|/lib*|/sbin|/etc) continue ;; esac
	[ -d "\$dir" ] && mkdir -p "$PWD/root\$dir" && mount --rbind "\$dir" "$PWD/root\$dir"
done
exec chroot "$PWD/root" /usr/lib/jvm/java-$version-openjdk-amd64/bin/java "\$@"' java "\$@"
END
	chmod +x java$version
	echo "$PWD/java$version"
done
rm -f packages
