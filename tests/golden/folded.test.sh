#!/bin/sh
# render folded: lines -> picture -> the same lines.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/flame
sorted() { LC_ALL=C sort "$1"; }

# back WHAT FILE OPTIONS...: FILE is drawn with OPTIONS and read back.
back()
{
	what=$1 file=$2
	shift 2
	$render flame -q -o "$tmp/b.svg" "$@" "$file" 2>"$tmp/err" && $render folded "$tmp/b.svg" >"$tmp/b" 2>"$tmp/err" || {
		not_ok "$what" "$tmp/err"; return; }
	sorted "$tmp/b" >"$tmp/got"
	sorted "$file" >"$tmp/lines"
	same "$what" "$tmp/got" "$tmp/lines"
}
# A unit is always told.
with_header() { { echo "# pyrograph: unit=samples"; cat; } }

back "plain" $data/plain.folded
back "... whatever it looks like" $data/plain.folded --icicle --minwidth 10% --title x --factor 2 --notes n --colors java
back "... merged from the leaves" $data/plain.folded --reverse
back "fractions, losses, quotes" $data/losses.folded
with_header <$data/java.folded >"$tmp/java"
back "annotations, a waker" "$tmp/java"
with_header <$data/letters.folded >"$tmp/letters"
back "letters of the world" "$tmp/letters"
with_header <<'END' >"$tmp/odd"
"quoted" 'single' & <b>;]]>;&amp;&#65;&lt;x 5
 17.5
a;all;...;x 0.25
a;;b 3
a;b c;d	e 18446744073709.5
a;std::map<int, char const*>::operator[](int&&) 2
END
back "odd names, an empty stack" "$tmp/odd"
awk 'BEGIN {
	print "# pyrograph: host=big command=\"a b\" lost=0/1 unit=ns"
	for (i = 0; i < 60000; i++)
		printf "main;caller_%03d;prefix::common::callee_%05d_of_%03d;leaf_%d_[k] %d\n", i % 700, i * 7 % 60013, i % 7, i % 50, i * 1000003 % 1000000007 + 1
}' >"$tmp/big"
back "60,000 stacks" "$tmp/big"
awk 'BEGIN { print "# pyrograph: unit=samples"; for (i = 0; i < 20000; i++) printf "f;"; print "top 5" }' >"$tmp/deep"
back "20,000 levels" "$tmp/deep"

if $render flame --help | grep -q -e --diff; then
	cat <<'END' >"$tmp/two"
# pyrograph: columns=before,after unit=samples
a;b 5 7
a;c 3 0
a;d 0 4.5
END
	back "a differential" "$tmp/two"
fi

# The lines of a flame chart come back in their original order, by time.
grep -v '^#' $data/chart.folded | cut -d' ' -f2- | sed '1i# pyrograph: unit=ms' >"$tmp/chart"
awk 'BEGIN {
	print "# pyrograph: unit=samples"
	for (i = 1; i < 20000; i++) {
		line = "main"
		for (k = i * 2654435761 % 7; k > 0; k--)
			line = line ";f" int(i / 3) % 4 + k
		if (line != before)
			print line, i % 9 + 1
		before = line
	}
}' >"$tmp/long"
for file in chart long; do
	for options in '' --reverse; do
		$render flame -q --chart $options "$tmp/$file" | $render folded >"$tmp/b"
		same "a flame chart: $file${options:+, $options}" "$tmp/b" "$tmp/$file"
	done
done
$render flame -q --chart --detail 9k "$tmp/long" >"$tmp/some.svg" && $render folded "$tmp/some.svg" >"$tmp/b"
has "... folded: something is" "$tmp/b" ";... "
is "... nothing is lost" "$(awk '!/^#/ { sum += $NF } END { print sum }' "$tmp/b")" \
	"$(awk '!/^#/ { sum += $NF } END { print sum }' "$tmp/long")"

# Only characters that XML cannot hold are lost.
with_header <$data/hostile.folded >"$tmp/hostile"
$render flame -q "$tmp/hostile" | $render folded >"$tmp/1"
is "hostile names: as many lines" "$(wc -l <"$tmp/1")" "$(wc -l <"$tmp/hostile")"
back "... the same from then on" "$tmp/1"
has "... markup is text again" "$tmp/1" '<script>alert(1)</script>;"><img src=x onerror=alert(1)> 5'

# If lines have several values, a picture has the first one; a name must not look like a value.
printf '# pyrograph: host=db1 columns=time,count unit=ns\nmain;a 12 3 1\nmain;b 4 2\n' >"$tmp/columns"
printf '# pyrograph: host=db1 unit=ns\nmain;a_12 3\nmain;b 4\n' >"$tmp/one"
$render flame -q "$tmp/columns" | $render folded >"$tmp/b"
same "of several values, the one that is drawn" "$tmp/b" "$tmp/one"
back "... which can be drawn" "$tmp/b"
printf '# pyrograph: host=db1 columns=time,count spans=start unit=ns\n@1795255203.000000001 main;a 12 3 1\n' >"$tmp/columns"
printf '@1795255203.000000001 main;a_12 3\n' >"$tmp/one"
$render heat -q "$tmp/columns" | $render folded | sed 1d >"$tmp/b"
same "... of a heat map" "$tmp/b" "$tmp/one"

# ---- packed, split, piped -----------------------------------------------------------

$render flame -q -o "$tmp/p.svgz" $data/plain.folded
status "an .svgz" 0 $render folded -o "$tmp/p" "$tmp/p.svgz"
sorted $data/plain.folded >"$tmp/lines"
sorted "$tmp/p" >"$tmp/got"
same "... the same lines" "$tmp/got" "$tmp/lines"
$render folded <"$tmp/p.svgz" >"$tmp/stdin" && same "... from stdin" "$tmp/stdin" "$tmp/p"
$render folded "$tmp/p" >"$tmp/out" 2>"$tmp/err"
has "what is no picture" "$tmp/err" "p: it is neither a flame graph nor a heat map of pyrograph"
for options in '' --reverse; do
	$render flame -q $options --split thread -o "$tmp/split" "$tmp/java"
	for f in "$tmp"/split/*.svg; do $render folded "$f"; done | sort -u >"$tmp/got"
	sort "$tmp/java" >"$tmp/lines"
	same "all pictures of a split${options:+, $options}" "$tmp/got" "$tmp/lines"
	rm -r "$tmp/split"
done
$render flame -q --total 100 $data/plain.folded | $render folded >"$tmp/total"
has "what --total adds is in no stack" "$tmp/total" " 22"
is "lines are in order" "$(grep -v '^#' "$tmp/total" | head -4 | tail -1)" "main;parse;read;vfs_read_[k] 12"

# ---- files that are not pictures, and bad days ------------------------------------------------

$render flame -q -f png $data/plain.folded >"$tmp/a.png"
$render flame -q /dev/null >"$tmp/nothing.svg" 2>/dev/null
head -c 30000 "$tmp/p.svgz" | head -c 5000 >"$tmp/cut.svgz"
$render flame -q $data/plain.folded >"$tmp/whole.svg"
sed '/class="flame-tree"/d' "$tmp/whole.svg" >"$tmp/treeless.svg"
sed "/flame-tree/,\$ { s/\(flame-tree\">.....\).*/\1/; q; }" "$tmp/whole.svg" >"$tmp/cut.svg"
: >"$tmp/empty"
for f in a.png nothing.svg cut.svgz treeless.svg cut.svg empty nosuch; do
	status "$f" 1 $render folded "$tmp/$f"
	is "... one message" "$(wc -l <"$tmp/err")" 1
	is "... no output" "$(cat "$tmp/out")" ""
done
status "no place on the device" 1 sh -c "$started folded $tmp/whole.svg >/dev/full"
status "two pictures" 2 $render folded "$tmp/whole.svg" "$tmp/whole.svg"

# A stack that a small file makes infinite.
python3 - "$tmp/endless.svg" <<'END' 2>/dev/null || skip "endless stacks" "no python3"
import sys
names, frames = "?all\n?" + "x" * 1000000 + "\n", "??" + "?@" * 100000
open(sys.argv[1], "w").write(
    '<svg><metadata id="flame-settings">{"names":2,"frames":100001,"decimals":0}</metadata>'
    f'<metadata class="flame-names">{names}</metadata><metadata class="flame-tree">{frames}</metadata></svg>')
END
status "an endless stack" 1 $render folded "$tmp/endless.svg"
has "... is told" "$tmp/err" "a stack of more than 16777216 bytes"
