#!/bin/sh
# init: the first program of a guest of tests/kernels.sh, in its initial file system.  It mounts the host's file system
# read-only as the guest's, adds places to write to, and runs the script in the shared directory.
export PATH=/bin
mkdir -p /proc /sys /dev /root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
for module in $(cat /modules/order); do
	insmod "/modules/$module" || echo "init: no $module"
done
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=524288 root /root || echo "init: no root"
mount -t proc proc /root/proc
mount -t sysfs sysfs /root/sys
mount -t devtmpfs devtmpfs /root/dev
mount -t tracefs tracefs /root/sys/kernel/tracing
mount -t cgroup2 cgroup2 /root/sys/fs/cgroup
for place in tmp run; do
	mount -t tmpfs -o mode=1777 tmpfs /root/$place
done
ln -s /proc/self/fd /root/dev/fd
ifconfig lo 127.0.0.1
mkdir /root/tmp/share
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288 share /root/tmp/share || echo "init: no share"
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp chroot /root /bin/sh /tmp/share/guest.sh \
	>"/dev/${said:-ttyS1}" 2>&1 # of the kernel's options
reboot -f # qemu is told to end then
