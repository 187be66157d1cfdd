# Debian's own programs under load, which have neither frame pointers nor symbols: nearly all of their user stacks reach
# the first function of the thread.
# live: stacks
. tests/tap.sh
. tests/unwind/common.sh
can_record "Debian's own programs"

# whole WHAT COMM COMMAND...: at least 95 in 100 user stacks of COMM are whole
copied=dwarf
whole()
{
	what=$1 comm=$2
	shift 2
	if ! "$pyrograph" collect cpu -q -F 999 --call-graph $copied -o "$tmp/our.data" -- "$@" >/dev/null 2>"$tmp/err" ||
		! "$pyrograph" collapse -q --files=never --no-inline --kernel "$tmp/our.data" >"$tmp/folded" 2>"$tmp/err"; then
		not_ok "$what" "$tmp/err"
		return
	fi
	python3 tests/unwind/whole.py "$what" "$tmp/folded" "$comm"
}

cc1=$(gcc -print-prog-name=cc1 2>/dev/null)
if [ -x "$cc1" ]; then
	awk 'BEGIN {
		for (i = 0; i < 120; i++) {
			printf "int table%d[64];\nint work%d(int n, const char *s)\n{\n", i, i
			print "\tint sum = 0;\n\tfor (int i = 0; i < n; i++) {"
			printf "\t\tswitch (s[i] + %d) {\n", i
			for (j = 0; j < 12; j++)
				printf "\t\tcase %d: sum += table%d[(i * %d + sum) & 63]; break;\n", j * j, i, j + 3
			printf "\t\tdefault: sum ^= table%d[i & 63] * sum;\n\t\t}\n\t}\n\treturn sum;\n}\n", i
		}
	}' >"$tmp/many.c"
	copied=dwarf,32768 # its value ranges are large, and are on the stack
	whole "gcc (cc1)" cc1 gcc -O2 -w -c "$tmp/many.c" -o /dev/null
	copied=dwarf
else
	skip "gcc (cc1)" "no gcc"
fi
if [ -x /usr/bin/python3 ]; then
	cat >"$tmp/load.py" <<-'END'
		import json, re, zlib
		rows = [{"name": "n%d" % i, "numbers": list(range(i % 50))} for i in range(4000)]
		for turn in range(20):
		    text = json.dumps(rows)
		    rows = sorted(json.loads(text), key=lambda row: (len(row["numbers"]), row["name"]))
		    words = re.findall(r"[a-z]+\d+", text)
		    zlib.compress(text.encode())
		    counts = {}
		    for word in words * 10:
		        counts[word] = counts.get(word, 0) + 1
	END
	whole "python3" python3 /usr/bin/python3 "$tmp/load.py"
else
	skip "python3" "no /usr/bin/python3"
fi
if [ -x /usr/bin/perl ]; then
	cat >"$tmp/load.pl" <<-'END'
		my (%counts, @words);
		push @words, "word" . ($_ * 7919 % 5003) for 1 .. 40000;
		for my $turn (1 .. 16) {
			for my $word (@words) {
				$counts{$1}++ if $word =~ /^([a-z]+)(\d*)7(\d*)$/ or $word =~ /(\d+)/;
				(my $other = $word) =~ s/(\d)(\d)/$2-$1/g;
				$counts{$other} += length($other);
			}
			my @sorted = sort { $counts{$a} <=> $counts{$b} || $a cmp $b } keys %counts;
		}
	END
	whole "perl" perl /usr/bin/perl "$tmp/load.pl"
else
	skip "perl" "no /usr/bin/perl"
fi
if command -v xz >/dev/null; then
	cat ${BUILD:-build}/pyrograph* | head -c 2500000 >"$tmp/bytes"
	whole "xz" xz xz -4 -T1 -k -c "$tmp/bytes"
	whole "xz, two threads" xz xz -4 -T2 --block-size=512KiB -k -c "$tmp/bytes"
else
	skip "xz" "no xz"
fi
