# boot: kernels and guests of tests/kernels.sh, whose variables these functions use: $work (a directory of their
# own), $cache, $parts, $minutes; to be used from the root of the tree, which is built in $BUILD.
BUILD=${BUILD:-build}
modules="virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p loop"

# guest_obstacle: prints why no guest can be run here
guest_obstacle()
{
	for need in "qemu-system-x86_64 qemu-system-x86" "busybox busybox-static" "dpkg dpkg" "apt-get apt" "xz xz-utils"; do
		command -v "${need% *}" >/dev/null || { echo "no ${need% *}: apt install ${need#* }"; return; }
	done
	busybox --list | grep -qx insmod || echo "this busybox has no insmod: apt install busybox-static"
	ldd "$(command -v busybox)" >/dev/null 2>&1 && echo "this busybox is not static: apt install busybox-static"
	[ "$(uname -m)" = x86_64 ] || echo "the guests are x86-64, as programs that they run; this machine is $(uname -m)"
	[ -x "$BUILD/pyrograph-collect" ] || echo "nothing is built in $BUILD: make"
}

# newest VERSION: prints the package of the newest kernel of this series
newest()
{
	apt-cache search --names-only "^linux-image-$(echo "$1" | sed 's/[.]/[.]/g')[.][0-9].*-amd64\$" | cut -d' ' -f1 |
		grep -v -- '-\(cloud\|rt\)-amd64$' | sort -V | tail -1
}

# kernel_get KERNEL: unpacks it to $kernel_files; fails after it has printed why
kernel_get()
{
	kernel_files=$work/kernel
	rm -rf "$kernel_files"
	if [ -d "$1" ]; then
		kernel_files=$1
	else
		package=$1
		case $1 in linux-image-*) ;; *) package=$(newest "$1") ;; esac
		[ -n "$package" ] || { echo "apt knows no kernel $1: apt-get update, or it is in no suite of this machine"; return 1; }
		to=${cache:-$work/packages}
		mkdir -p "$to" "$kernel_files"
		deb=$(find "$to" -name "${package}_*.deb" | tail -1)
		[ -n "$deb" ] || (cd "$to" && apt-get -q download "$package") ||
			{ echo "$package cannot be fetched: no network?"; return 1; }
		deb=$(find "$to" -name "${package}_*.deb" | tail -1)
		dpkg -x "$deb" "$kernel_files" || { echo "$deb cannot be unpacked"; return 1; }
	fi
	ls "$kernel_files"/boot/vmlinuz-* >/dev/null 2>&1 || { echo "there is no kernel in $1"; return 1; }
}

# The first file system: busybox, those modules that are not in the kernel, init.
initrd_make()
{
	rm -rf "$work/initrd"
	mkdir -p "$work/initrd/bin" "$work/initrd/modules"
	cp "$(command -v busybox)" "$work/initrd/bin/busybox"
	busybox --list | grep -vx busybox | while read -r name; do ln -s busybox "$work/initrd/bin/$name"; done
	: >"$work/initrd/modules/order"
	for module in $modules; do
		file=$(find "$kernel_files/lib/modules" -name "$module.ko*" | head -1)
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

# guest_make: what the guest boots with, and its share
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

# guest_run: prints what the guest prints; its console goes to $work/console
guest_run()
{
	timeout --foreground -k 10 $((minutes * 60)) qemu-system-x86_64 \
		-accel tcg,thread=single,tb-size=1024 -cpu max,la57=off -smp 2 -m "${GUEST_MEMORY:-4G}" \
		-display none -no-reboot -nodefaults -serial "file:$work/console" -serial stdio -monitor none \
		-kernel "$kernel_files"/boot/vmlinuz-* -initrd "$work/initrd.gz" \
		-append "console=ttyS0 panic=-1 mitigations=off tsc=reliable clocksource=tsc" \
		-fsdev local,id=root,path=/,security_model=none,readonly=on,multidevs=remap \
		-device virtio-9p-pci,fsdev=root,mount_tag=root \
		-fsdev "local,id=share,path=$work/share,security_model=none,readonly=on,multidevs=remap" \
		-device virtio-9p-pci,fsdev=share,mount_tag=share </dev/null 2>"$work/qemu.err" | sed -u 's/\r//g'
}
