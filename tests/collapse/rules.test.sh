# Options that change stacks, and options that report on the run: --hide, --focus, --recursive, --merge-annotations,
# --stats.
. tests/tap.sh

# rule INPUT WANTED OPTIONS: what some folded lines become, without the header; both are given with printf's escapes
rule()
{
	printf "$1" >"$tmp/in"
	wanted=$2
	shift 2
	is "$*" "$("$pyrograph" collapse -q "$@" "$tmp/in" 2>&1 | grep -v '^# pyrograph' | paste -sd,)" "$wanted"
}
rule 'm;a;helper;b 1\nm;a;b 2\n' 'm;a;b 3' --hide helper
rule 'm;a;helper;b 1\nm;a;b 2\nm;b 4\n' 'm;b 7' --hide helper --hide '^a$'
rule 'm;a 1\n' '[no stack] 1' --hide .
rule 'm;b;b;b;c 1\nm;b;c 2\nm;x;y;x;y 4\n' 'm;b;c 3,m;x;y;x;y 4' --recursive
rule 'm;b;b;b;c 1\nm;x;y;x;y;x;z 4\nm;p;q;r;p;q;r;p;q;r 8\n' 'm;b;c 1,m;p;q;r 8,m;x;y;x;z 4' --recursive=indirect
rule 'm;h;b;h;b 1\n' 'm;b 1' --hide h --recursive
rule 'm;a;b;c 1\nx;a;b;c 2\nm;c 4\n' 'b;c 3' --focus '^b$'
rule 'm;a;b;a;c 1\n' 'a;b;a;c 1' --focus a
rule 'm;a_[j] 1\nm;a_[1] 2\nm;a_[i]_[k] 4\nm;_[k] 8\n' 'm;_[k] 8,m;a 7' --merge-annotations
rule '@1.5 m;h;b 1\n@2.5 m;b 2\n' '@1.500000000 m;b 1,@2.500000000 m;b 2' --hide h
status "--focus on what is not there" 1 "$pyrograph" collapse --focus nosuch "$tmp/in"
has "... is told" "$tmp/err" "no frame matches --focus"
status "a way of --recursive that is none" 2 "$pyrograph" collapse --recursive=deep "$tmp/in"

# ---- recordings ----
python3 tests/collapse/make_recording.py "$tmp/rec" <tests/collapse/golden/basics.txt
"$pyrograph" collapse --all "$tmp/rec" >"$tmp/plain"
frame=$(grep -v '^#' "$tmp/plain" | head -1 | cut -d' ' -f1 | cut -d';' -f2)
status "--hide in a recording" 0 "$pyrograph" collapse --all --hide "^$frame\$" "$tmp/rec"
is "... the sum stays" "$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/out")" "$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/plain")"
is "... without it" "$(grep -c ";${frame}[; ]" "$tmp/out")" 0
has "... which the header says" "$tmp/out" "filter=\"--hide ^$frame\$\""
status "--focus in a recording" 0 "$pyrograph" collapse --all --focus "^$frame\$" "$tmp/rec"
is "... the roots stay" "$(grep -v '^#' "$tmp/out" | cut -d';' -f2 | sort -u)" "$frame"
is "--recursive and all else: sums stay" \
	"$("$pyrograph" collapse --recursive=indirect --merge-annotations "$tmp/rec" | awk '!/^#/ { n += $NF } END { print n }')" 7

# ---- --stats ----
status "--stats" 0 "$pyrograph" collapse --stats "$tmp/rec"
has "... amounts" "$tmp/err" "7 samples in"
printf 'a;b 1\na;c 1\n' | gzip >"$tmp/packed"
status "--stats of text" 0 "$pyrograph" collapse --stats "$tmp/packed"
has "... amounts" "$tmp/err" "2 samples in 2 lines; 12 bytes in"
awk 'BEGIN { for (i = 0; i < 200000; i++) print "main;frame" i % 10 " 1" }' >"$tmp/parts"
status "--stats of lines that several threads had" 0 "$pyrograph" collapse --stats --jobs 3 "$tmp/parts"
has "... counts each once" "$tmp/err" "200000 samples in 10 lines"
