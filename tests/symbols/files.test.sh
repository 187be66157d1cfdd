# Files that are no longer at their path: as long as the process lives, its own mapping leads to them.
. tests/tap.sh
. tests/symbols/common.sh

build "$tmp/whole" || not_ok "build"
functions "$tmp/whole" >"$tmp/wanted"
id=$(build_id "$tmp/whole")
mkfifo "$tmp/in" "$tmp/out.fifo"

# run COMMAND...: start a program that waits; $pid is it (the command must exec it)
run()
{
	"$@" wait <"$tmp/in" >"$tmp/out.fifo" &
	pid=$!
	exec 8>"$tmp/in"
	read -r line <"$tmp/out.fifo"
}

end() { exec 8>&-; wait $pid; }

# The executable mapping of a path, from the kernel: "START DEV:INODE"
mapping()
{
	awk -v path="$1" 'function trim(s) { sub(/^0+/, "", s); return s == "" ? "0" : s }
		$2 ~ /x/ && index($0, path) {
			split($1, range, "-"); split($4, device, ":")
			printf "%s %s:%s:%x\n", range[1], trim(device[1]), trim(device[2]), $5; exit }' "/proc/$pid/maps"
}

# found WHAT PATH: names are found by the build-id, and by the inode
found()
{
	set -- "$1" "$2" $(mapping "$2")
	names_all "$1: by build-id" "$2" "$id" "$pid" "$3"
	names_all "$1: by inode" "$2" "$4" "$pid" "$3"
}

can_see_files() { ls -L "/proc/$$/map_files/" >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; }

cp "$tmp/whole" "$tmp/program"
run "$tmp/program"
found "a file that is there" "$tmp/program"
rm "$tmp/program"
found "a program that was removed" "$tmp/program"
found "... as the kernel calls it now" "$tmp/program (deleted)"
set -- $(mapping "$tmp/program")
cp "$tmp/whole" "$tmp/program"
named "$tmp/program (deleted)" "$id" 0 0 <"$tmp/wanted" >"$tmp/got"
same "... under its old name there is the same build again" "$tmp/got" "$tmp/wanted"
build "$tmp/other" -DMOVED -Wl,--build-id=0x0123456789abcdef
cp "$tmp/other" "$tmp/other.new" && mv "$tmp/other.new" "$tmp/program"
found "a program that was replaced" "$tmp/program"
found "... as the kernel calls it now" "$tmp/program (deleted)"
is "... named by nothing but its own file: the process is not known" \
	"$(reason "$tmp/program" "$id" 0 0) $(reason "$tmp/program" "$2" 0 0)" "- other-build - other-build"
is "... another process is asked" "$(reason "$tmp/program" "$id" $$ "$1")" "- other-build"
rm "$tmp/program"
end
is "... when it has ended" "$(reason "$tmp/program" "$id" "$pid" "$1")" "- no-file"

# A library: /proc/PID/exe is another file.
build "$tmp/library.so" -shared -fPIC
cat >"$tmp/loader.c" <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	int (*start)(int, char **) = (int (*)(int, char **))dlsym(dlopen(argv[1], RTLD_NOW), "main");

	return start(argc, argv);
}
END
$compiler "$tmp/loader.c" -o "$tmp/loader" -ldl
functions "$tmp/library.so" >"$tmp/wanted"
id=$(build_id "$tmp/library.so")
run "$tmp/loader" "$tmp/library.so"
if can_see_files; then
	rm "$tmp/library.so"
	found "a library that was removed" "$tmp/library.so"
	cp "$tmp/other" "$tmp/library.so"
	found "a library that was replaced" "$tmp/library.so"
else
	skip "a library that was removed" "needs CAP_CHECKPOINT_RESTORE"
fi
end

# In another mount namespace, the path means another file here.
functions "$tmp/whole" >"$tmp/wanted"
id=$(build_id "$tmp/whole")
mkdir -p "$tmp/mount" "$tmp/upper" "$tmp/lower" "$tmp/work"
cp "$tmp/other" "$tmp/mount/program"
if unshare --mount true 2>"$tmp/err"; then
	run unshare --mount sh -c 'mount -t tmpfs none "$1" && cp "$2" "$1/program" && exec "$1/program" wait' - \
		"$tmp/mount" "$tmp/whole"
	found "a file in another mount namespace" "$tmp/mount/program"
	end
else
	skip "a file in another mount namespace" "needs to mount: $(tail -1 "$tmp/err")"
fi

# overlayfs: the mapping has another inode than the file.
cp "$tmp/whole" "$tmp/lower/program"
rm "$tmp/mount/program"
if unshare --mount mount -t overlay none -o "lowerdir=$tmp/lower,upperdir=$tmp/upper,workdir=$tmp/work" "$tmp/mount" \
	2>"$tmp/err"; then
	run unshare --mount sh -c 'mount -t overlay none -o "lowerdir=$1,upperdir=$2,workdir=$3" "$4" &&
		exec "$4/program" wait' - "$tmp/lower" "$tmp/upper" "$tmp/work" "$tmp/mount"
	found "a file of overlayfs" "$tmp/mount/program"
	end
else
	skip "a file of overlayfs" "cannot mount one: $(tail -1 "$tmp/err")"
fi

# Without any rights except those of the process's owner.
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "as an ordinary user" "needs root to become one"
	exit 0
fi
# In a place that others may enter.
open=$(TMPDIR=/tmp mktemp -d)
trap 'rm -rf "$open"' EXIT
cp -a "$tmp/." "$open"
chmod 755 "$open"
tmp=$open
user="setpriv --reuid=12345 --regid=12345 --clear-groups"
cp "$names" "$tmp/names"
names="$user $tmp/names"
cp "$tmp/whole" "$tmp/program"
functions "$tmp/whole" >"$tmp/wanted"
id=$(build_id "$tmp/whole")
chmod 600 "$tmp/program"
is "a file that may not be read" "$(reason "$tmp/program" "$id" 0 0)" "- no-right"
chmod 755 "$tmp/program"
run $user "$tmp/program"
rm "$tmp/program"
found "one's own program, which was removed" "$tmp/program"
end
if unshare --mount true 2>"$tmp/err"; then
	build "$tmp/library.so" -shared -fPIC
	functions "$tmp/library.so" >"$tmp/wanted"
	id=$(build_id "$tmp/library.so")
	run unshare --mount sh -c 'mount -t tmpfs none /mnt && cp "$1" "$2" /mnt &&
		exec $3 /mnt/loader /mnt/library.so wait' - "$tmp/loader" "$tmp/library.so" "$user"
	found "one's own library, in another mount namespace" /mnt/library.so
	end
else
	skip "one's own library, in another mount namespace" "needs to mount: $(tail -1 "$tmp/err")"
fi
