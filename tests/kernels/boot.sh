# boot: kernels and guests of tests/kernels.sh, whose variables these functions use: $work (a directory of their
# own), $cache, $parts, $minutes; use it in the root of the tree, with $BUILD as the build.
BUILD=${BUILD:-build}
# What depends on the processor that $BUILD is for: Debian's name of it, the emulator, the guest's file system, its busybox,
# and the options of its kernel; init prints on the line "said".  For arm64, tests/arm64.sh makes the file system.
case $BUILD in
*aarch64*) arch=arm64 qemu=qemu-system-aarch64 qemu_package=qemu-system-arm guest_root=$PWD/$BUILD/guest
	guest_busybox=$guest_root/bin/busybox guest_kernel="console=ttyAMA0 said=ttyS0" ;;
*) arch=amd64 qemu=qemu-system-x86_64 qemu_package=qemu-system-x86 guest_root=/
	guest_busybox=$(command -v busybox)
	guest_kernel="console=ttyS0 said=ttyS1 tsc=reliable clocksource=tsc no_timer_check" ;;
esac
foreign=$([ "$(uname -m)" = x86_64 ] && [ $arch = amd64 ] || echo yes)
modules="virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p loop crc16 crc32c_generic mbcache jbd2 ext4"

# guest_obstacle: prints why no guest can be run here
guest_obstacle()
{
	for need in "$qemu $qemu_package" "busybox busybox-static" "dpkg dpkg" "apt-get apt" "xz xz-utils" "zstd zstd"; do
		command -v "${need% *}" >/dev/null || { echo "no ${need% *}: apt install ${need#* }"; return; }
	done
	busybox --list | grep -qx insmod || echo "this busybox has no insmod: apt install busybox-static"
	ldd "$(command -v busybox)" >/dev/null 2>&1 && echo "this busybox is not static: apt install busybox-static"
	[ $arch = arm64 ] || [ "$(uname -m)" = x86_64 ] || echo "the guests are x86-64, as programs that they run; this machine is $(uname -m)"
	[ -x "$guest_busybox" ] || echo "there is no file system for guests in $guest_root: make arm64"
	[ -x "$BUILD/pyrograph-collect" ] || echo "nothing is built in $BUILD: make"
}

# suite_of KERNEL: prints the Debian suite that has the kernel; nothing if it is the machine's own suite
suite_of()
{
	case $1 in
	*:*) echo "${1%%:*}" ;;
	5.10) echo bullseye ;;
	6.1) echo bookworm ;;
	6.12) echo bookworm-backports ;;
	7.2) echo sid ;;
	7.3) echo experimental ;;
	esac
}

# of_suite SUITE COMMAND [ARG ...]: runs apt-cache or apt-get with the packages of that suite; its lists are kept beside
# the packages, apart from the machine's own lists
of_suite()
{
	suite=$1 command=$2 lists=$to/lists-$1${foreign:+-$arch}
	shift 2
	[ -n "$suite" ] || { "$command" "$@"; return; }
	set -- -o Dir::Etc::sourcelist="$lists/suite.sources" -o Dir::Etc::sourceparts=- -o Dir::State::Lists="$lists/lists" \
		-o APT::Architecture=$arch -o APT::Architectures=$arch "$@"
	[ -e "$lists/done" ] || lists_get "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "${10}" || return
	"$command" "$@"
}

# lists_get OPTION ...: fetches the lists of $suite to $lists
lists_get()
{
	mkdir -p "$lists/lists/partial"
	printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
		"${DEBIAN_MIRROR:-http://deb.debian.org/debian}" "$suite" \
		/usr/share/keyrings/debian-archive-keyring.gpg >"$lists/suite.sources"
	apt-get -q "$@" update >/dev/null 2>&1 && : >"$lists/done"
}

# newest SUITE VERSION: prints the package of the newest kernel of this series.  Since about 7.1, linux-image-V is
# empty, linux-binary-V has the kernel, and linux-modules-V its modules.
newest()
{
	of_suite "$1" apt-cache search --names-only "^linux-(binary|image)-$(echo "$2" | sed 's/[.]/[.]/g')([.][0-9].*)?-$arch\$" |
		grep -v meta-package | cut -d' ' -f1 | grep -v -- '-\(cloud\|rt\)-[a-z0-9]*$' >"$work/names"
	{ grep '^linux-binary-' "$work/names" || cat "$work/names"; } | sort -V | tail -1
}

# package_get SUITE PACKAGE: unpacks the package to $kernel_files; fails after printing why
package_get()
{
	deb=$(find "$to" -name "${2}_*.deb" | tail -1)
	[ -n "$deb" ] || (cd "$to" && of_suite "$1" apt-get -q download "$2") || { echo "$2 cannot be fetched: no network?"; return 1; }
	deb=$(find "$to" -name "${2}_*.deb" | tail -1)
	dpkg -x "$deb" "$kernel_files" || { echo "$deb cannot be unpacked"; return 1; }
}

# kernel_get KERNEL [NO_MODULES]: unpacks the kernel to $kernel_files, and finds $kernel_image; fails after printing why
kernel_get()
{
	kernel_files=$work/kernel
	rm -rf "$kernel_files"
	if [ -d "$1" ]; then
		kernel_files=$1
	else
		to=${cache:-$work/packages}
		mkdir -p "$to" "$kernel_files"
		to=$(cd "$to" && pwd)
		package=${1#*:}
		case $1 in
		*linux-*) suite=$(suite_of "$1") ;;
		*:*) suite=$(suite_of "$1") package=$(newest "$suite" "$package") ;;
		*)
			suite= package=
			[ -n "$foreign" ] || package=$(newest "" "$1") # the machine's own suite
			[ -n "$package" ] || { suite=$(suite_of "$1") && [ -n "$suite" ] && package=$(newest "$suite" "$1"); } ;;
		esac
		[ -n "$package" ] || { echo "apt knows no kernel $1: no network, or it is in no suite of Debian"; return 1; }
		package_get "$suite" "$package" || return 1
		case $package in
		linux-binary-*) [ -n "$2" ] || package_get "$suite" "linux-modules-${package#linux-binary-}" || return 1 ;;
		esac
	fi
	kernel_image=$(find "$kernel_files"/boot "$kernel_files"/usr/lib/modules -maxdepth 2 -name 'vmlinuz*' 2>/dev/null | head -1)
	[ -n "$kernel_image" ] || { echo "there is no kernel in $1"; return 1; }
}

# image_unpack IMAGE FILE: extracts the kernel's ELF file from a vmlinuz, the payload of Documentation/arch/x86/boot.rst
image_unpack()
{
	number() { n=$(od -An -tu"$2" -j"$1" -N"$2" "$image" 2>/dev/null | tr -d ' '); echo "${n:-0}"; }
	image=$1
	sectors=$(number 497 1) at=$(number 584 4) bytes=$(number 588 4)
	tail -c +$(((sectors + 1) * 512 + at + 1)) "$image" | head -c "$bytes" >"$work/payload"
	case $(od -An -tx1 -N4 "$work/payload" | tr -d ' ') in
	28b52ffd) zstd -dcq ;;
	fd377a58) xz -dcq --single-stream ;;
	*) cat ;;
	esac <"$work/payload" >"$2" 2>/dev/null # the payload's length follows, which zstd takes for garbage
	rm -f "$work/payload"
}

# offline KERNEL: does the kernel have everything that the BPF programs read?  Prints TAP lines.
offline()
{
	queue=0 # before Linux 5.11, the first argument of block_rq_*() is the queue
	image_unpack "$kernel_image" "$work/vmlinux"
	if grep -aq 'Linux version 5[.]10[.]' "$work/vmlinux"; then queue=1; fi
	"$BUILD/tests/kernels/relocations" -D has_queue=$queue "$work/vmlinux" build/bpf/*.o ||
		[ $? = 1 ] || echo "not ok - its types cannot be read"
	rm -f "$work/vmlinux"
}

# Make the initial file system: busybox, the modules that are not built into the kernel, and init.
initrd_make()
{
	rm -rf "$work/initrd"
	mkdir -p "$work/initrd/bin" "$work/initrd/modules"
	cp "$guest_busybox" "$work/initrd/bin/busybox"
	busybox --list | grep -vx busybox | while read -r name; do ln -s busybox "$work/initrd/bin/$name"; done
	: >"$work/initrd/modules/order"
	for module in $modules; do
		file=$(find "$kernel_files" -name "$module.ko*" | head -1)
		case $file in
		'') continue ;;
		*.xz) xz -dc "$file" >"$work/initrd/modules/$module.ko" ;;
		*) cp "$file" "$work/initrd/modules/$module.ko" ;;
		esac
		echo "$module.ko" >>"$work/initrd/modules/order"
	done
	cp "tests/kernels/init.sh" "$work/initrd/init"
	chmod +x "$work/initrd/init"
	(cd "$work/initrd" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd.gz"
}

# guest_make: makes what the guest boots with, and its shared directory
guest_make()
{
	initrd_make
	rm -rf "$work/share"
	mkdir -p "$work/share/build/tests" "$work/share/tests"
	for program in pyrograph pyrograph-collect pyrograph-collapse pyrograph-render pyrograph-web; do
		cp "$BUILD/$program" "$work/share/build"
	done
	for built in workloads jvm; do
		[ ! -d "$BUILD/tests/$built" ] || cp -r "$BUILD/tests/$built" "$work/share/build/tests"
	done
	cp -r "tests/tap.sh" "tests/collect" "tests/jvm" "tests/workloads" "$work/share/tests"
	cp "tests/kernels/guest.sh" "$work/share"
	echo "$parts" | tr ',' '\n' | grep . >"$work/share/wanted"
}

# guest_machine: prints the options for the processor, and for the second serial line
guest_machine()
{
	case $arch in
	arm64) echo "-M virt -cpu max,pauth-impdef=on,sve=off -chardev file,id=said,path=$work/serial -device pci-serial,chardev=said" ;;
	*) echo "-cpu max,la57=off -serial file:$work/serial" ;;
	esac
}

# guest_run: prints what the guest prints; its console goes to $work/console.  A guest that prints nothing for $minutes
# is ended.  There is no limit on the whole time, which depends on the host's load.
guest_run()
{
	: >"$work/serial"
	# shellcheck disable=SC2046 # words
	$qemu -accel tcg,thread=single,tb-size=1024 -smp 2 -m "${GUEST_MEMORY:-4G}" \
		-display none -no-reboot -nodefaults -serial "file:$work/console" $(guest_machine) -monitor none \
		-kernel "$kernel_image" -initrd "$work/initrd.gz" \
		-append "panic=-1 mitigations=off $guest_kernel" \
		-fsdev local,id=root,path=$guest_root,security_model=none,readonly=on,multidevs=remap \
		-device virtio-9p-pci,fsdev=root,mount_tag=root \
		-fsdev "local,id=share,path=$work/share,security_model=none,readonly=on,multidevs=remap" \
		-device virtio-9p-pci,fsdev=share,mount_tag=share </dev/null >/dev/null 2>"$work/qemu.err" &
	guest=$!
	echo $guest >"$work/guest"
	guest_watch >/dev/null &
	tail -n +1 -s 0.5 -f --pid=$guest "$work/serial" | sed -u 's/\r//g'
	rm -f "$work/guest"
}

# guest_end: ends the guest, if one runs
guest_end() { [ ! -s "$work/guest" ] || kill -KILL "$(cat "$work/guest")" 2>/dev/null; }

# guest_watch: waits until $guest has ended; ends it if it is stuck, or if the process that wants it is gone
guest_watch()
{
	while kill -0 "$guest" 2>/dev/null; do
		sleep 2
		[ -e "$work/serial" ] && kill -0 $$ 2>/dev/null && [ -z "$(find "$work/serial" -mmin "+$minutes")" ] || kill -KILL "$guest" 2>/dev/null
	done
}
