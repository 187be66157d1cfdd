#!/bin/sh
# arm64: builds everything for arm64 on another machine, and runs the unit tests and the golden tests emulated by QEMU;
# then what records, in a guest with Debian's kernel for arm64.  "make arm64"; not a part of "make check".
#
#   tests/arm64.sh PACKAGE ...     the libraries that the build needs
#
# T: words in names of test files; "guest": only the guest.  KERNELS: options and operands of tests/kernels.sh for it.
# The libraries, and the guest's file system, those of this machine's release of Debian, are unpacked into directories
# of their own, $BUILD/root and $BUILD/guest: nothing is installed.  Prints the lines of tests/run.sh and
# tests/kernels.sh; without QEMU, a compiler or the network, a single one that says so, and "0 passed, 0 failed,
# 1 skipped".
cd "$(dirname "$0")/.." || exit 1
triple=aarch64-linux-gnu
BUILD=build/$triple
root=$PWD/$BUILD/root
. /etc/os-release

skip_all() { echo "ok - arm64 # SKIP $1"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }

for need in "qemu-aarch64-static qemu-user-static" "clang clang" "ld.lld lld" "llvm-ar llvm" "bpftool bpftool" "apt-get apt" "dpkg dpkg"; do
	PATH=$PATH:/usr/sbin command -v "${need% *}" >/dev/null || skip_all "no ${need% *}: apt install ${need#* }"
done

# What the tests of a guest need; "make kernels" has the same of the machine itself.
guest_packages="bash bpftool busybox-static coreutils dash diffutils e2fsprogs findutils grep gzip libcap2-bin libxml2-utils
	linux-perf mawk mount openjdk-17-jre-headless procps sed util-linux xz-utils libbpf1 libcairo2 libcurl4 libdeflate0
	libdw1 libexpat1 libfontconfig1 libpcre2-8-0 libzstd1"

# root_make DIRECTORY PACKAGE ...: the packages with all that they depend on, as for a machine on which nothing is installed
root_make()
{
	apt=$PWD/$BUILD/apt root=$1
	shift
	rm -rf "$apt" "$root.new" && mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$root.new" || return
	printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" \
		"$VERSION_CODENAME" /usr/share/keyrings/debian-archive-keyring.gpg >"$apt/suite.sources"
	: >"$apt/status"
	cat >"$apt/apt.conf" <<-END
		APT::Architecture "arm64";
		APT::Architectures { "arm64"; };
		APT::Sandbox::User "root";
		Dir::Etc::sourcelist "$apt/suite.sources";
		Dir::Etc::sourceparts "-";
		Dir::State::Lists "$apt/lists";
		Dir::State::status "$apt/status";
		Dir::Cache "$apt/cache";
	END
	export APT_CONFIG="$apt/apt.conf"
	apt-get -q update && apt-get -q install -y --download-only --no-install-recommends "$@" || return
	for package in "$apt"/cache/archives/*.deb; do
		dpkg -x "$package" "$root.new" || return
	done
	find "$root.new" -type l -lname '/*' | while read -r link; do # would lead to this machine's libraries
		ln -srfn "$root.new$(readlink "$link")" "$link"
	done
	rm -rf "$apt" && mv "$root.new" "$root"
}

# As the packages' scripts would make it.
guest_make_root()
{
	[ ! -d "$1" ] || return 0
	root_make "$1" $guest_packages || return
	ln -sf mawk "$1/usr/bin/awk"
	ln -sf ../lib/jvm/java-17-openjdk-arm64/bin/java "$1/usr/bin/java"
	mkdir -p "$1/proc" "$1/sys" "$1/dev" "$1/tmp" "$1/run"
}

# Unit tests and golden tests, or those with the words of $T.
emulated()
{
	make --no-print-directory "-j$(nproc)" CROSS=$triple SYSROOT="$root" build-emulated &&
		clang --target=$triple --sysroot="$root" -fuse-ld=lld -O1 -shared -fPIC tests/arm64/emulated.c -o "$BUILD/emulated.so" || exit 1
	wrap "$BUILD/emulated"
	BUILD=$BUILD/emulated sh tests/run.sh ${T:-unit/ golden/}
}

# Each collector on a kernel for arm64, 6.12 of Debian 13, by tests/kernels.sh.
in_guest()
{
	command -v qemu-system-aarch64 >/dev/null || skip_all "no qemu-system-aarch64: apt install qemu-system-arm"
	(guest_make_root "$PWD/$BUILD/guest") >"$BUILD/guest.log" 2>&1 ||
		skip_all "the guest's file system cannot be fetched: no network? $BUILD/guest.log has more"
	make --no-print-directory "-j$(nproc)" CROSS=$triple SYSROOT="$root" build-guest || exit 1
	BUILD=$BUILD sh tests/kernels.sh ${KERNELS:-trixie:6.12}
}

# Why the emulator cannot run a test; nothing: it can.
obstacle_of()
{
	case $1 in
	tests/unit/core_symbols) echo "QEMU has no openat2(2)" ;;
	tests/unit/collect_expense) echo "its CPU time is that of QEMU" ;;
	tests/unit/collect_windows) echo "the program of a child is QEMU" ;;
	tests/unit/collapse_frames) echo "it asks for the package of a program of this machine" ;;
	esac
}

# Programs, unit tests and served stages, started by QEMU, in a directory of their own, $1.  Each lies beside its wrapper, as
# "pyrograph-collapse.arm64", so that pyrograph, which runs its stages from the directory where it is, finds wrappers.
wrap()
{
	rm -rf "$1" && mkdir -p "$1/tests/unit" "$1/tests/served" "$1/arm64/tests/unit" "$1/arm64/tests/served"
	for file in "$BUILD"/pyrograph* "$BUILD"/tests/unit/* "$BUILD"/tests/served/*; do
		name=${file#"$BUILD/"} program=$1/$name.arm64
		case $name in
		*.o | *.d) continue ;;
		tests/*) program=$1/arm64/$name ;;
		esac
		ln "$file" "$program"
		printf '#!/bin/sh\nexec qemu-aarch64-static -L %s -E LD_PRELOAD=%s %s "$@"\n' \
			"$root" "$PWD/$BUILD/emulated.so" "$PWD/$program" >"$1/$name"
		why=$(obstacle_of "$name")
		[ -z "$why" ] || printf '#!/bin/sh\necho "ok - %s # SKIP %s"\n' "${name##*/}" "$why" >"$1/$name"
		chmod +x "$1/$name"
	done
}

mkdir -p "$BUILD" || exit 1
[ -d "$root" ] || (root_make "$root" "$@" "libgcc-$(gcc -dumpversion)-dev") >"$BUILD/root.log" 2>&1 ||
	skip_all "its libraries cannot be fetched: no network? $BUILD/root.log has more"
status=0
[ "${T:-}" = guest ] || (emulated) || status=1
[ "${T:-guest}" != guest ] || (in_guest) || status=1
exit "$status"
