# common: files with and without their symbols, and checks of names; use after ". tests/tap.sh".
names=$BUILD/tests/unit/core_elf
compiler=${CC:-cc}

# build OUT FLAGS...: the program
build()
{
	out=$1
	shift
	$compiler -O1 -g -Wl,--build-id "$@" tests/symbols/program.c -o "$out"
}

# functions FILE: prints "OFFSET NAME" for each function with a size in the file's symbol table.  For .text, the offset
# is the address minus the displacement of the segment.
functions()
{
	move=$(readelf -lW "$1" | awk '$1 == "LOAD" && / R E / { print $3, $2; exit }')
	nm -S --defined-only "$1" | awk -v address="${move% *}" -v offset="${move#* }" '
		function number(hex,   n, i) {
			hex = tolower(hex); sub(/^0x/, "", hex)
			for (i = 1; i <= length(hex); i++) n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n
		}
		NF == 4 && $3 ~ /^[tT]$/ { printf "%x %s\n", number($1) - number(address) + number(offset), $4 }' | sort
}

# build_id FILE
build_id() { readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p'; }

# named FILE [ID PID START] <FUNCTIONS: prints "OFFSET NAME" as we find the names
named()
{
	cut -d' ' -f1 | $names "$1" "${2:--}" "${3:-0}" "${4:-0}" | awk '{ print $1, $2 }'
}

# names_all WHAT FILE [ID PID START]: the functions in $tmp/wanted have their names
names_all()
{
	what=$1
	shift
	named "$@" <"$tmp/wanted" >"$tmp/got"
	same "$what" "$tmp/got" "$tmp/wanted"
}

# reason FILE ID PID START: why the first function has no name
reason() { head -1 "$tmp/wanted" | cut -d' ' -f1 | $names "$@" | awk '{ print $2, $4 }'; }
