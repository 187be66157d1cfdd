#!/bin/sh
# A newcomer's machine: a bare Debian 12, 13 or sid, with only make installed, and the tree in root's home, which other users
# cannot read.
#
#   tests/bare.sh [-s SUITE] DIRECTORY              make demo and make check there
#   tests/bare.sh [-s SUITE] DIRECTORY COMMAND ...  another command, in the tree
#
# DIRECTORY is created from SUITE, bookworm, trixie or sid [bookworm], if it does not exist.
# Wants root and debootstrap.  It is a chroot on this machine's kernel, with mounts that end with the command.
# perf 6.1 cannot record in a chroot (util/namespaces.c asserts), so tests that need it are skipped.
set -e
usage() { sed -n '5,8s/^# *//p' "$0" >&2; exit 2; }
suite=bookworm
while getopts s: option; do
	case $option in
	s) suite=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
system=$1
shift
[ $# -gt 0 ] || set -- sh -c 'make demo && make check'
[ -e "$system" ] || {
	debootstrap --variant=minbase "$suite" "$system.new" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
	mv "$system.new" "$system"
}
system=$(cd "$system" && pwd)
grep -q "^VERSION_CODENAME=$suite$" "$system/etc/os-release" || grep -q "/$suite$" "$system/etc/debian_version" || { echo "$0: $system is not $suite" >&2; exit 2; }
cp /etc/resolv.conf "$system/etc/resolv.conf"
tree=$system/root/pyrograph
mkdir -p "$tree" "$system/usr/local/share/ca-certificates"
cp /usr/local/share/ca-certificates/*.crt "$system/usr/local/share/ca-certificates" 2>/dev/null || :  # a network's own
chmod 700 "$system/root"
cd "$(dirname "$0")/.."
# Remove files of earlier versions, which would otherwise be built, too.
git ls-files --cached --others --exclude-standard | LC_ALL=C sort >"$system/root/files"
(cd "$tree" && find . \( -path ./build -o -name node_modules \) -prune -o -type f -print | sed 's,^\./,,' | LC_ALL=C sort |
	LC_ALL=C comm -23 - "$system/root/files" | tr '\n' '\0' | xargs -0r rm -f)
# Changed files get the current time, because a file of another clone may be older than the objects built from the
# previous one.
git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | while IFS= read -r file; do
	cmp -s "$file" "$tree/$file" || printf '%s\n' "$file"
done | tar -c -T - | tar -x -m -C "$tree" --no-same-owner

# The mounts are in their own namespace, so none is left, however this ends.
exec unshare -m --propagation private sh -ec '
	system=$1
	shift
	mount --rbind /dev "$system/dev"
	mount --rbind /sys "$system/sys"
	mount -t proc proc "$system/proc"
	for fs in tracefs=/sys/kernel/tracing bpf=/sys/fs/bpf; do
		mountpoint -q "$system${fs#*=}" || mount -t "${fs%=*}" "${fs%=*}" "$system${fs#*=}" || :
	done
	exec chroot "$system" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
		sh -ec "command -v make >/dev/null || { apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq make; }
			cd /root/pyrograph && exec \"\$@\"" sh "$@"
' bare "$system" "$@"
