# --format points: two columns of numbers become timed folded lines.
. tests/tap.sh

points() { "$pyrograph" collapse --format points "$@"; }
# row INPUT WANTED [OPTIONS]: the lines that one line of input makes.
row()
{
	input=$1 wanted=$2
	shift 2
	is "'$input' $*" "$(printf '%s\n' "$input" | points -q "$@" 2>/dev/null | grep -v '^#')" "$wanted"
}

row '5 7' '@5.000000000 points 7'
row '5	7' '@5.000000000 points 7'
row ' 5 ,7  ' '@5.000000000 points 7'
row '.5 .25' '@0.500000000 points 0.25'
row '5. 7.50' '@5.000000000 points 7.5'
row '5 0' '@5.000000000 points 0'
row '5 1e3' '@5.000000000 points 1000'
row '1e3 25e-4' '@1000.000000000 points 0.0025'
row '5 12345678901234567890' '@5.000000000 points 12345678901234567890'
row '5 0.12345678901234567890123' '@5.000000000 points 0.123456789012345678'
row '1795342502.123456789999 1' '@1795342502.123456789 points 1'
row '329797210338 1834' '@329797.210338000 points 1834' --unitstime us
row '1795342502123.5 1' '@1795342502.123500000 points 1' --unitstime ms
row '1795342502123456789 1' '@1795342502.123456789 points 1' --unitstime ns
for wrong in '5' '5 ' 'a 5' '5 b' '-5 1' '5 -1' '5 1 2' '5 1x' '5x 1' '. 1' '5 .' '5 1e' '99999999999999999999 1' \
	'5 1e30' '1e18 1' '5;1' 'nan 1' '0x5 1' '1,,2'; do
	row "$wrong" ''
done

printf 'ENDTIME(us) LATENCY(us)\n3000000 0.5\n# a comment\n\n1000000 2\r\n2000000 x\n2000000 30\n2000000 4' >"$tmp/in"
status "a file" 0 points --unitstime us --unit us "$tmp/in"
cat >"$tmp/wanted" <<'END'
# pyrograph: event=points clock=monotonic root=none losses="wrong lines 1" unit=us
@1.000000000 points 2
@2.000000000 points 30
@2.000000000 points 4
@3.000000000 points 0.5
END
same "... is sorted, without its heading" "$tmp/out" "$tmp/wanted"
has "... a wrong line is named" "$tmp/err" "$tmp/in:6:9: no value"
has "... and counted" "$tmp/err" "malformed lines, skipped: 1"
cp "$tmp/out" "$tmp/first"
status "... on stdin, to a file" 0 sh -c "$pyrograph collapse -q --format points --unitstime us --unitslabel us -o $tmp/file <$tmp/in"
same "... gives the same" "$tmp/file" "$tmp/first"
status "--strict" 1 points --strict "$tmp/in"
status "--from and --to" 0 points --unitstime us --from +1 --to +2 "$tmp/in"
is "... keep a part, without its end" "$(grep -c '^@2' "$tmp/out"):$(grep -c '^@' "$tmp/out")" 2:2
has "... which the header says" "$tmp/out" 'filter="--from +1 --to +2"'
status "nothing left of it" 1 points --unitstime us --from +5h "$tmp/in"
has "... is said" "$tmp/err" "is left after --from"
status "a wall-clock time where there is none" 1 points --from 10:15 "$tmp/in"
has "... is said" "$tmp/err" "not wall-clock times"
echo '1795342502.5 7' >"$tmp/epoch"
status "times since 1970" 0 points "$tmp/epoch"
has "... are such" "$tmp/out" "start=2026-11-22T10:15:02.500000000Z end=2026-11-22T10:15:02.500000000Z"
has_not "... and no others" "$tmp/out" "clock="

: >"$tmp/empty"
printf 'one\ntwo\n' >"$tmp/words"
for file in "$tmp/empty" "$tmp/words" /bin/true; do
	status "$file" 1 points -q "$file"
	is "... holds nothing" "$(cat "$tmp/err")" "pyrograph collapse: $file: has no line of the form 'time value'"
	is "... gives nothing" "$(cat "$tmp/out")" ""
done
status "a file that is not there" 1 points "$tmp/none"
status "a full disk" 1 sh -c "$pyrograph collapse --format points $tmp/in >/dev/full"

status "--unitstime" 2 points --unitstime min "$tmp/in"
has "... has few units" "$tmp/err" "--unitstime: 'min' is not one of: s ms us ns"
status "--unit" 2 points --unit 5 "$tmp/in"
status "a format that does not exist" 2 "$pyrograph" collapse --format point "$tmp/in"
has "... but nearly" "$tmp/err" "--format: there is no 'point'. Did you mean 'points'?"
status "a format like none" 2 "$pyrograph" collapse --format x "$tmp/in"
has "... the known ones" "$tmp/err" "--format: 'x' is not one of: perfdata folded "
for option in '--root thread' --pid --states '--event x' '--min 5ms' '--include x' '--weight time'; do
	# shellcheck disable=SC2086 # words
	status "points have no $option" 2 points $option "$tmp/in"
	has "... and say so" "$tmp/err" "--format points has times and values only"
done
status "units of a recording" 2 "$pyrograph" collapse --unit us "$tmp/in"
has "... are known" "$tmp/err" "--unit is only for --format points"
status "points without --format" 1 "$pyrograph" collapse "$tmp/in"
has "... are recognised" "$tmp/err" "$tmp/in: looks like two columns of numbers: use --format points"
