# --format folded: folded lines are read, filtered, and put together.
. tests/tap.sh
. tests/served.sh

folded() { "$pyrograph" collapse --format folded "$@"; }
# lines INPUT WANTED [OPTIONS]: what some lines become; both are given with printf's escapes.
lines()
{
	input=$1 wanted=$2
	shift 2
	printf "$input" >"$tmp/in"
	run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse --format folded -q "$@" <"$tmp/in"
	is "'$input' $*" "$(cat "$tmp/out")" "$(printf "$wanted")"
}

lines 'a;b 1\n' 'a;b 1'
lines 'b 1\na 2\nb 3' 'a 2\nb 4'
lines 'a;b_[k] 1.25\na;b_[k] .5\n' 'a;b_[k] 1.75'
lines 'a 0.9\na 0.2\nb 1\n' 'a 1.1\nb 1'
lines 'a 1 5\na 2 7\n' 'a 3 12'
lines 'a b c 1\r\n' 'a b c 1'
lines 'a;b  17\na;b\t 2\n' 'a;b 19'
lines 'a 18446744073709551615\n' 'a 18446744073709551615'
lines 'a 1234567890123456789\na 0000000000000000000001\na 999999999999999999\n' 'a 2234567890123456789'
lines 'a 1\nb 18446744073709551616\n 7\n5\n' '# pyrograph: losses="wrong lines 3"\na 1'
lines '\357\273\277a 1\n\357\273\277a 1\n' 'a 2'
lines 'a;;b 1\n' 'a;[no name];b 1'
lines 'a;b; 4192\na;b;; 1\na;;b; .5\n' 'a;[no name];b 0.5\na;b 4193'
lines 'a;b;  7\na;b; 1\n; 5\n;;; 2\n;a 1\n' '[no name] 7\n[no name];a 1\na;b 1\na;b;[no name] 7'
lines 'a;b; 1 5\na;b 2 7\n' 'a;b 3 12'
lines '@2 a;b; 7\n@2.5 a; 1\n' '@2.000000000 a;b 7\n@2.500000000 a 1'
lines 'a;b; 1\na;b;; 2\na;;b; 3\n; 4\n' '[no name] 4\na;[no name];b 3\na;b 3' --recursive
lines 'a 0\n' 'a 0'
lines 'main;std::vector<int>::push_back_[i] 1\nmain;std::vector<long>::push_back_[i] 2\nmain;operator<_[k] 1\nmain;<module> (a.py:3) 4\n' \
	'main;<module> (a.py:3) 4\nmain;operator<_[k] 1\nmain;std::vector::push_back_[i] 3' --strip-templates
lines 'a;b 18446744073709551615\na;b 1\nc 5\n' 'a;b 18446744073709551615\nc 5'
lines 'a;b 18446744073709551615\na;b .5\na;b .75\n' 'a;b 18446744073709551615.25' --recursive
lines '# pyrograph: spans=start unit=ns\n@1.5 a 1\na .6\na .6\na 18446744073709551614\n' \
	'# pyrograph: spans=start unit=ns\n@1.500000000 a 1\na 18446744073709551615.2'
lines '# pyrograph: spans=start unit=ns\n@1.5 a 1\na .6\na .6\n' '# pyrograph: spans=start unit=ns\n@1.500000000 a 1\na 1.2'
lines '@2.5 a 7\n@1 b 8\n@1 a 1\n' '@1.000000000 a 1\n@1.000000000 b 8\n@2.500000000 a 7'
lines '@1.5 a 7\n@2.5 a 8\n@3.5 a 9\n' '# pyrograph: filter="--from +1 --to +2"\n@2.500000000 a 8' --from +1 --to +2
lines 'a;x 1\nb;y 2\n' '# pyrograph: filter="--include y"\nb;y 2' --include y
lines 'a;x 1\nb;y 2\n' '# pyrograph: filter="--exclude y"\na;x 1' --exclude y
lines '# pyrograph: host=h filter="--x" losses="lost 1" unit=ns\na 1\nb\n' \
	'# pyrograph: host=h filter="--x --exclude y" losses="lost 1, wrong lines 1" unit=ns\na 1' --exclude y
lines '# pyrograph: command="a \\" unit=y b" unit=x\na 1\nb\n' '# pyrograph: command="a \\" unit=y b" losses="wrong lines 1" unit=x\na 1'
# What stands in quotes is no pair.
lines '# pyrograph: filter="-i \\"x columns=a,b,c spans=y\\" unit=q" unit=ns\na;b 1\na;b 2\n' \
	'# pyrograph: filter="-i \\"x columns=a,b,c spans=y\\" unit=q" unit=ns\na;b 3'
lines '# pyrograph: host=h columns=time,longest unit=ns\na 1 5\na 2 4\n' \
	'# pyrograph: host=h columns=time,longest unit=ns\na 3 5'
lines '# pyrograph: start=2026-11-22T10:15:02.000000000Z end=x unit=ns\n@1795342502 a 1\n@1795342503 a 2\n' \
	'# pyrograph: start=2026-11-22T10:15:03.000000000Z end=2026-11-22T10:15:03.000000000Z filter="--from +1" unit=ns\n@1795342503.000000000 a 2' --from +1
# There are two values if all lines have two, or if a header or --columns says so; otherwise a number belongs to a
# frame.
lines 'n;position 7 12\nn;b 5\n' 'n;b 5\nn;position_7 12'
lines 'n;position 7 12\nn;b 5\n' '# pyrograph: losses="wrong lines 1"\nn;position 7 12' --columns 2
lines 'n;position 7 12\nn;b 5 6\n' 'n;b_5 6\nn;position_7 12' --columns 1
lines '# pyrograph: columns=before,after unit=x\na 1 2\nb 7\n' '# pyrograph: columns=before,after losses="wrong lines 1" unit=x\na 1 2'
lines 'a 1 2 3\nb 4 5 6\n' 'a 1 2 3\nb 4 5 6' --columns 3
lines 'a;class@anonymous\0/x.php;m 5\n' 'a;class@anonymous?/x.php;m 5'
lines 'Profiling for 10 seconds\nmain;a 5\nmain;b 1\n' '# pyrograph: losses="skipped lines 1"\nmain;a 5\nmain;b 1'
# Negative values become net sums; if a net sum is negative, they become what is taken off and what is added.
lines 'a;grow 100\na;grow -150\na;grow 200\n' 'a;grow 150'
lines 'a;grow 100\na;grow -150\nb;c 3\n' '# pyrograph: columns=before,after\na;grow 150 100\nb;c 0 3'
lines '# pyrograph: host=h unit=x\na 1.5\na -.75\nb -0\n' '# pyrograph: host=h unit=x\na 0.75\nb 0'
lines '# pyrograph: host=h unit=x\na 1.5\na -.75\nb -2\n' '# pyrograph: host=h columns=before,after unit=x\na 0.75 1.5\nb 2 0'
lines 'a;b;b 4\na;b -1\n' 'a;b 3' --recursive
lines 'a;b 4\na;c -5\n' '# pyrograph: filter="--include b"\na;b 4' --include b
lines '@1 a 4\n@2 a -1\n' '# pyrograph: losses="negative values 1"\n@1.000000000 a 4'
lines '# mine\n#\n# gap: start=1 why=x\na 1\n' '# mine\n#\n# gap: start=1 why=x\na 1'
lines '# pyrograph: host=\033[31m\n# \302\2331m\tx\377 \342\200\256\na 1\n' '# pyrograph: host=?[31m\n# ?1m\tx? ?\na 1'

# If a line with only one number comes after half a megabyte of lines with two, a file is read again, which is not
# possible with a pipe.
awk 'BEGIN { for (i = 0; i < 40000; i++) print "main;line " i % 7 " 1"; print "main;poll 3" }' >"$tmp/late"
status "one value, after many lines with two numbers" 0 "$pyrograph" collapse --format folded "$tmp/late"
has "... nothing is lost" "$tmp/out" "main;poll 3"
has "... and the numbers are frames'" "$tmp/out" "main;line_3 5714"
status "... from a pipe" 1 sh -c "cat $tmp/late | $pyrograph collapse"
has "... --columns decides" "$tmp/err" "lines have two values at first, later one: say which, by --columns 1 or --columns 2"
status "... which is given" 0 sh -c "cat $tmp/late | $pyrograph collapse --columns 1"
has "... nothing is lost" "$tmp/out" "main;poll 3"
status "--columns of names" 2 "$pyrograph" collapse --format folded --columns time,count "$tmp/late"
has "... are a recording's" "$tmp/err" "of folded text, it is how many values a line has"
status "--columns of a recording" 2 sh -c "printf PERFILE2 | $pyrograph collapse --columns 2"
has "... names them" "$tmp/err" "--columns 2 is for folded text"

# A header after half a megabyte of comments.
awk 'BEGIN { print "# pyrograph: columns=time,count,longest unit=ns"; for (i = 0; i < 40000; i++) print "# gap: start=" i " why=x"
	print "a 1 2 3\na 1 2 5" }' >"$tmp/comments"
is "many comments before the first line" "$(folded -q "$tmp/comments" | tail -1)" "a 2 4 5"

awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%sframe%d", i ? ";" : "", i; print " 3\nmain 1" }' >"$tmp/deep"
status "a first line of half a megabyte" 0 "$pyrograph" collapse "$tmp/deep"
same "... is folded text without --format" "$tmp/out" "$tmp/deep"
status "... from a pipe" 0 sh -c "cat $tmp/deep | $pyrograph collapse"
same "... too" "$tmp/out" "$tmp/deep"
printf 'a 18446744073709551615\na 1\nb 1\n' >"$tmp/most"
status "a sum that is too large" 0 "$pyrograph" collapse --format folded "$tmp/most"
has "... is told" "$tmp/err" "lines whose values are 18446744073709551615, the most that can be counted, or more: 1"
status "... of stacks" 0 "$pyrograph" collapse --format folded --recursive "$tmp/most"
has "... too" "$tmp/err" "lines whose values are 18446744073709551615, the most that can be counted, or more: 1"

printf 'a 1\n\nb\n;c x\nd 1e30\n@1 e 1\n f 1e31\ng 2\n' >"$tmp/in"
status "wrong lines" 0 "$pyrograph" collapse --format folded "$tmp/in"
for wrong in "3:1: no value" "4:4: no value" "5:3: a value that is too large" "6:4: a time, although earlier lines have none" \
	"7:4: a value that is too large"; do
	has "... are named" "$tmp/err" "$tmp/in:$wrong; expected 'frame;frame;... value'"
done
has "... and counted" "$tmp/err" "malformed lines, skipped: 5"
status "--strict" 1 "$pyrograph" collapse --format folded --strict "$tmp/in"

# Ten messages of a kind are printed, the others are counted, wherever they are, and whichever thread finds them.
awk 'BEGIN { for (i = 0; i < 400000; i++) print i % 40000 == 7 || i == 399999 ? "b" : i % 30000 == 9 ? "f 1e30" : "a;x 1" }' >"$tmp/many"
for jobs in 1 3; do
	status "many wrong lines, $jobs threads" 0 "$pyrograph" collapse --format folded --jobs $jobs "$tmp/many"
	is "... ten of a kind are told" "$(grep -c "many:[0-9]*:1: no value" "$tmp/err")" 10
	is "... and of another" "$(grep -c "many:[0-9]*:3: a value that is too large" "$tmp/err")" 10
	has "... up to the tenth" "$tmp/err" "many:360008:1: no value"
	has "... one more is counted" "$tmp/err" "many: no value: 1 more"
	has "... and four" "$tmp/err" "many: a value that is too large: 4 more"
	has "... and all" "$tmp/err" "malformed lines, skipped: 25"
done
status "nothing left" 1 "$pyrograph" collapse --format folded --include zzz "$tmp/in"
has "... is said" "$tmp/err" "no stack is left after --include"
status "no times" 1 "$pyrograph" collapse --format folded --from +1 "$tmp/in"
has "... is said" "$tmp/err" "has no times for --from"
for option in '--root thread' --pid --states '--event x' '--unit ms'; do
	# shellcheck disable=SC2086 # words
	status "folded text has no $option" 2 "$pyrograph" collapse --format folded $option "$tmp/in"
done
status "a recording" 1 sh -c "printf PERFILE2 | $pyrograph collapse --format folded"
has "... is recognised" "$tmp/err" "is a recording: read it with pyrograph collapse without --format folded"
status "an output format that does not exist" 2 "$pyrograph" collapse --format folded --output-format folder "$tmp/in"
has "... but nearly" "$tmp/err" "--out: there is no 'folder'. Did you mean 'folded'?"

# collapse can read its own output, and writes the same lines in the same order.
python3 tests/collapse/read_again.py tests/collapse/golden/*.folded

# ---- the result is the same for any number of threads ----
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "@%d.%06d main;f%d;g%d %d.%d\n%s", 1795342502 + i % 7, i % 1000, i % 31, i % 977,
	i % 13, i % 4, i % 9999 ? "" : "wrong\n# gap: " i " x\n" }' >"$tmp/large"
folded --jobs 1 "$tmp/large" >"$tmp/one" 2>"$tmp/one.err"
for jobs in 2 3 7; do
	folded --jobs $jobs "$tmp/large" >"$tmp/several" 2>"$tmp/several.err"
	same "$jobs threads" "$tmp/several" "$tmp/one"
	same "... and their messages" "$tmp/several.err" "$tmp/one.err"
done
folded --jobs 3 <"$tmp/large" >"$tmp/several" 2>/dev/null
same "stdin" "$tmp/several" "$tmp/one"
# shellcheck disable=SC2002 # a pipe is wanted
cat "$tmp/large" | folded --jobs 3 >"$tmp/several" 2>/dev/null
same "a pipe" "$tmp/several" "$tmp/one"
sed 's/^@[0-9.]* //' "$tmp/large" >"$tmp/sums"
folded -q --jobs 1 "$tmp/sums" >"$tmp/one" 2>/dev/null
folded -q --jobs 3 "$tmp/sums" >"$tmp/several" 2>/dev/null
same "sums" "$tmp/several" "$tmp/one"

# ---- whole lines are merged in the same way as by an independent program ----
python3 tests/collapse/merged_lines.py 25
