# Running code is named even if its file was removed or replaced while it ran.
# live: names of files; sanitized, too
. tests/tap.sh
. tests/collect/common.sh
need_sampling "files that are gone"

# recorded WHAT FILE [DO...]: runs the file, does something to it, records, and looks for a name
recorded()
{
	what=$1 file=$2
	shift 2
	rm -f "$tmp/out" # what the one before has said
	"$file" 60 >"$tmp/out" &
	pid=$!
	before 30 lines "$tmp/out" ^tid 1
	"$@"
	$collect -q -F 499 -d 0.3 -p $pid -o "$tmp/rec.data" 2>"$tmp/err" || not_ok "$what: recorded" "$tmp/err"
	if command -v perf >/dev/null && perf record -q -B -F 499 -g -p $pid -o "$tmp/perf.data" -- sleep 0.3 2>"$tmp/err"; then
		"$pyrograph" collapse -q "$tmp/perf.data" >"$tmp/folded"
		has "$what: perf's recording, while it lives" "$tmp/folded" ";spin_alpha "
	else
		skip "$what: perf's recording, while it lives" "perf record does not work here"
	fi
	kill $pid
	wait $pid 2>/dev/null
	"$pyrograph" collapse -q "$tmp/rec.data" >"$tmp/folded"
	has "$what: named" "$tmp/folded" ";spin_alpha "
}

replace() { cp /bin/true "$tmp/new" && mv "$tmp/new" "$1"; }

removed()
{
	cp "$spin" "$tmp/spin"
	recorded "a program that was removed" "$tmp/spin" rm "$tmp/spin"
}
live removed
replaced()
{
	cp --remove-destination "$spin" "$tmp/spin"
	recorded "a program that was replaced" "$tmp/spin" replace "$tmp/spin"
}
live replaced

# Pyrograph's last section of its own: bit 248 (core/format/recording.h).
recorder()
{
	$collect -q -d 0.1 -o "$tmp/own.data" -- true 2>"$tmp/err" &
	pid=$!
	wait $pid
	is "the recording says who recorded it" "$(python3 - "$tmp/own.data" <<-'END'
		import struct, sys
		data = open(sys.argv[1], "rb").read()
		bits = [b for b in range(256) if data[72 + b // 8] >> b % 8 & 1]
		table = sum(struct.unpack_from("<QQ", data, 40)) + 16 * bits.index(248)
		at, size = struct.unpack_from("<QQ", data, table)
		print(data[at:at + size].decode().strip())
	END
	)" $pid
}
live recorder
