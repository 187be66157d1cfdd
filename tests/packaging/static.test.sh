#!/bin/sh
# make static: the programs run in a root that holds nothing else and cannot be written.
# slow: links all programs once more
. tests/tap.sh

if [ "${SAN:-}" ] || ! make -n static >/dev/null 2>&1; then skip "static programs" "not with sanitizers"; exit 0; fi
[ -e "$(cc -print-file-name=libdw.a)" ] || { skip "static programs" "no static libraries"; exit 0; }
make --no-print-directory static ${CC:+CC="$CC"} BUILD="${BUILD:-build}" >"$tmp/made" 2>&1 ||
	{ not_ok "make static" "$tmp/made"; exit 0; }
programs=$(echo "${BUILD:-build}"/static/pyrograph-*/bin)
is "each is static" "$(for program in "$programs"/*; do ldd "$program" 2>&1 | grep -v 'not a dynamic executable'; done)" ""
unshare -m true 2>/dev/null || { skip "... run in an empty root" "no right to make a mount namespace"; exit 0; }

mkdir -p "$tmp/root/proc" "$tmp/root/out"
cp -R "$programs" "$tmp/root/bin"
printf 'main;f 3\nmain;g 4\n' >"$tmp/out.folded"
# in_root PROGRAM ARGUMENT ...: only /out can be written
in_root()
{
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m --propagation private sh -ec 'root=$1; shift
		mount --bind "$root" "$root"; mount -t proc proc "$root/proc"; mount -t tmpfs none "$root/out"
		mount -o remount,bind,ro "$root"; exec chroot "$root" "$@"' sh "$tmp/root" "$@"
}
is "pyrograph" "$(in_root /bin/pyrograph --version)" "pyrograph $(sed -n 's/^VERSION := //p' Makefile)"
status "report: records, and draws" 0 in_root /bin/pyrograph report -a -d 0.5 --only cpu -o /out/charts
has "... its page" "$tmp/err" "/out/charts/index.html"
status "collapse, and render" 0 sh -c '"$1" render flame -q "$2" >"$3"' sh "$programs/pyrograph" "$tmp/out.folded" "$tmp/one.svg"
in_root /bin/pyrograph render flame -q - <"$tmp/out.folded" >"$tmp/two.svg" 2>"$tmp/err"
same "... as elsewhere" "$tmp/two.svg" "$tmp/one.svg"
has "... a picture" "$tmp/two.svg" "<svg"
in_root /bin/pyrograph render flame -q -f png - <"$tmp/out.folded" >"$tmp/two.png" 2>"$tmp/err"
is "... a PNG, without a font" "$(head -c 4 "$tmp/two.png" | tail -c 3)" PNG
status "ship says that nobody answers" 1 in_root /bin/pyrograph ship --to http://127.0.0.1:9/db /out/none.data
DEBUGINFOD_URLS=http://127.0.0.1:9 in_root /bin/pyrograph collapse /bin/none >"$tmp/out" 2>"$tmp/err"
has "a missing recording is named" "$tmp/err" "/bin/none"
