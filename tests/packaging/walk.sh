#!/bin/sh
# A newcomer's walk in a bare Debian: installs the packages of build/dist, records, draws, removes all, and shows what is left.
#
#   tests/packaging/walk.sh SUITE DIRECTORY        after make deb; as root
#
# DIRECTORY is a root of that suite, made by debootstrap if it is not there.  Exits 1 if a step fails, or something is left.
set -e
[ $# = 2 ] || { sed -n '4s/^# *//p' "$0" >&2; exit 2; }
suite=$1 system=$2
cd "$(dirname "$0")/../.."
[ -e "$system" ] || {
	debootstrap --variant=minbase "$suite" "$system.new" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
	mv "$system.new" "$system"
}
system=$(cd "$system" && pwd)
cp /etc/resolv.conf "$system/etc/resolv.conf"
rm -rf "$system/opt/walk" && mkdir -p "$system/opt/walk"
cp build/dist/*.deb "$system/opt/walk"

# Those that the suite's own packages recommend would stay.
# shellcheck disable=SC2016 # for the shell in the root
walk='
export DEBIAN_FRONTEND=noninteractive
cd /opt/walk
step() { what=$1; shift; "$@" >log 2>&1 || { echo "failed: $what"; tail -20 log; exit 1; }; echo "$what"; }
list() { find / -xdev \( -path /proc -o -path /sys -o -path /opt -o -path /tmp -o -path /var/cache -o -path /var/log -o \
	-path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o -print | LC_ALL=C sort; }
apt-get update -qq
step "a bare system" apt-get install -y -qq libidn2-0
list >before
step "pyrograph-collect installs" apt-get install -y -qq --no-install-recommends ./pyrograph-collect_*.deb
step "... alone, without cairo, X11 and curl" sh -c "! dpkg-query -W libcairo2 libx11-6 libcurl4 libcurl4t64 2>/dev/null | grep [0-9]"
step "... and says what works: $(pyrograph-collect usable 2>/dev/null)" pyrograph-collect usable
step "pyrograph installs" apt-get install -y -qq --no-install-recommends ./pyrograph_*.deb
step "report: records, and draws" pyrograph report -a -d 1 -o charts
step "... a page" test -s charts/index.html
step "purge" apt-get purge -y -qq --auto-remove "pyrograph*"
list >after
diff before after >left || { echo "left:"; cat left; exit 1; }
echo "nothing is left"'
exec unshare -m --propagation private sh -ec '
	mount -t proc proc "$1/proc"
	mount --rbind /sys "$1/sys"
	exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -ec "$2"' walk "$system" "$walk"
