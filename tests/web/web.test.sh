#!/bin/sh
# pyrograph web: compares the page of a small directory with hostile names with the expected one, and checks everything
# that the page promises.
# slow: 5,000 charts
. tests/tap.sh

web="$pyrograph web"
dir=$tmp/charts
mkdir -p "$dir"

# picture FILE JSON: an SVG with our metadata, written at a fixed time.
picture()
{
	mkdir -p "$(dirname -- "$1")"
	printf '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><metadata id="pyrograph">%s</metadata><rect width="40" height="20" fill="teal"/></svg>\n' "$2" >"$1"
	touch -d 2026-11-21T12:00:00Z -- "$1"
}
file() { printf '%s' "$2" >"$1"; touch -d 2026-11-20T08:30:00Z -- "$1"; }

# ---- the expected page -----------------------------------------------------------------

base='"unit":"samples","host":"db1","event":"cpu-clock","start":"2026-11-21T10:15:02.000000000Z","end":"2026-11-21T10:15:07.010000000Z","rate":"99Hz","kernel":"6.1.0"'
picture "$dir/db1-T1.svg" '{"kind":"flame","title":"CPU: whole machine","total":12345,"lost":"3/12348","losses":"throttled 3, truncated 1","unresolved":"700/9000","command":"pyrograph collect cpu -a \u0026 \u003cx\u003e",'"$base}"
picture "$dir/db1-T1-states.svg" '{"kind":"states","title":"Scheduler states","total":91500000000,'"$(echo "$base" | sed 's/samples/ns/; s/"event":"[^"]*"/"event":"sched"/')}"
picture "$dir/db1-T1-heat.svg" '{"kind":"heat","title":"Subsecond","total":5000000000,"filter":"--include \"x\"",'"$(echo "$base" | sed 's/samples/ns/')}"
picture "$dir/db1-T1-threads/small.svg" '{"kind":"flame","thread":"java-8/small","title":"CPU: whole machine: java-8/small","total":345,'"$base}"
picture "$dir/db1-T1-threads/large.svg" '{"kind":"flame","title":"java-8/\u003cscript\u003ealert(1)\u003c/script\u003e","total":12000,'"$base}"
file "$dir/db1-T1.data" 'PERFILE2........'
file "$dir/db1-T1.folded" 'a;b 1'
file "$dir/db1-T1-heat.png" "$(printf '\211PNG\r\n\032\n....IEND....')"
picture "$dir/night.svg" '{"kind":"flame","title":"\ud83c\udf19 \u00fc","total":7,"unit":"bytes","lost":"0/7","host":"web\u003c7","start":"2026-11-20T23:59:59.5Z"}'
file "$dir/foreign.svg" '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"></svg>'
file "$dir/alone.data" 'PERFILE2........'

status "a page" 0 $web "$dir"
is "... nothing but the summary is said" "$(cat "$tmp/err")" "pyrograph web: $dir/index.html: 11 files of 4 runs"
same "the expected page" "$dir/index.html" tests/web/page.expected
sed -n '/^{"made"/,/^]}/p' "$dir/index.html" | cmp -s - "$dir/charts.json" && ok "... and its data, beside it" || not_ok "... and its data, beside it"
cp "$dir/index.html" "$tmp/first.html"
status "again, over its own page" 0 $web "$dir"
cmp -s "$dir/index.html" "$tmp/first.html" && ok "the same directory gives the same bytes" || not_ok "the same directory gives the same bytes"
cp -a "$dir" "$tmp/elsewhere"
$web -o - "$tmp/elsewhere" 2>/dev/null | cmp -s - "$tmp/first.html" && ok "... and so does its copy, to stdout" || not_ok "... and so does its copy, to stdout"

# ---- any name --------------------------------------------------------------------------

hostile=$tmp/hostile
mkdir -p "$hostile"
newline=$(printf 'new\nline')
invalid=$(printf 'inv\377\300al')
for name in '"><script>alert(1)<' "it's" '100%41' '?query#fragment' 'javascript:alert(1)' ' blank ' '-dash' \
	'&amp;' "$newline" "$invalid" 'back\slash' 'umläut' '$(id)' '..double' 'a;b' '{{x}}' '<!--' ']]>'; do
	case $name in .*) continue ;; esac
	picture "$hostile/$name.svg" '{"kind":"flame","total":1}'
	picture "$hostile/$name-threads/$name.svg" '{"kind":"flame","total":1}'
done
picture "$hostile/plain.svg" '{"kind":"<b onclick=x>","title":"<img src=x onerror=alert(1)>","host":"</h3><script>","event":"\"><i>","start":"2026-11-21T10:15:02Z","total":7,"unit":"</li><object>","kernel":"</ul><form>","filter":"<s>","rate":"<q>","lost":"9/<u>","losses":"<u>","command":"</p><iframe>"}'
status "hostile names" 0 $web "$hostile"
python3 tests/web/page.py links "$hostile" "$hostile/index.html" >"$tmp/links"
is "every picture has a link that leads to it; pages of runs, style and script, too" \
	"$(grep -c ^found "$tmp/links")" "$(find "$hostile" -name '*.svg' -printf x -o -path '*/index-files/*' -printf x | wc -c)"
is "... and no link leads elsewhere" "$(grep -v ^found "$tmp/links")" ""
is "no name and no fact becomes an element or a handler" "$(python3 tests/web/page.py tags "$hostile/index.html")" ""
python3 tests/web/page.py text "$hostile/index.html" >"$tmp/text"
for text in '"><script>alert(1)<' '<img src=x onerror=alert(1)>' '</h3><script>' '</p><iframe>' '7 </li><object>' '</ul><form>' '<q>' '<s>' '100%41.svg' 'umläut.svg'; do
	has "it is text: $text" "$tmp/text" "$text"
done
for page in "$dir/index.html" "$hostile/index.html"; do
	cp "$page" "$tmp/page.xml"
	status "well-formed markup: ${page#"$tmp"/}" 0 xmllint --noout "$tmp/page.xml"
	iconv -f UTF-8 -t UTF-8 "$page" >/dev/null 2>&1 && ok "... and UTF-8" || not_ok "... and UTF-8"
done
is "no address outside of the directory" "$(grep -oE '(https?:)?//[a-z]+[^ ]*' "$dir/index.html" | grep -v '^// \|^//$')" ""

# ---- broken files ----------------------------------------------------------------------

bad=$tmp/bad
mkdir -p "$bad"
picture "$bad/good.svg" '{"kind":"flame","total":1}'
: >"$bad/empty.svg"
printf 'plain text, as long as it likes' >"$bad/text.svg"
printf '<svg xmlns="x"><metadata id="pyrograph">{"kind":"flame"}</metadata><rect' >"$bad/cut.svg"
printf 'not a picture' >"$bad/text.png"
printf '\211PNG\r\n\032\nhalf' >"$bad/cut.png"
printf 'not a recording' >"$bad/text.data"
mkfifo "$bad/pipe.svg"
mkdir "$bad/directory.svg"
i=0
for json in '{"kind":"flame"' '[1]' '{"kind":{"a":1}}' '{"kind":"a" "b":"c"}' '{"kind":"\ud8' '{"kind":"\q"}' '{"kind":[1}' '{kind:1}' 'null'; do
	picture "$bad/json$i.svg" "$json"
	i=$((i + 1))
done
status "broken files are not fatal" 0 timeout 300 $web "$bad"
sed -n 's/^pyrograph web: warning: //p' "$tmp/err" | LC_ALL=C sort >"$tmp/warnings"
cat >"$tmp/wanted" <<'END'
cut.png: cut short
cut.svg: cut short
empty.svg: empty
json0.svg: its metadata cannot be read
json1.svg: its metadata cannot be read
json2.svg: its metadata cannot be read
json3.svg: its metadata cannot be read
json4.svg: its metadata cannot be read
json5.svg: its metadata cannot be read
json6.svg: its metadata cannot be read
json7.svg: its metadata cannot be read
json8.svg: its metadata cannot be read
pipe.svg: not a regular file
text.data: not a perf.data file
text.png: not a PNG picture
text.svg: not an SVG picture
END
cmp -s "$tmp/warnings" "$tmp/wanted" && ok "... each has its warning" || not_ok "... each has its warning" "$tmp/warnings"
is "... and is listed with it" "$(grep -o '"problem":"' "$bad/index.html" | wc -l)" 16
has "... and counted" "$bad/index.html" "16 files could not be shown"
is "no thumbnail is made of them" "$(find "$bad/index-files" -type f ! -name 'run-*' -printf '%f\n' | sort)" "index.css
index.js"
status "--quiet" 0 $web -q "$bad"
is "... says nothing" "$(cat "$tmp/err")" ""

fuzz=$tmp/fuzz
mkdir "$fuzz"
python3 tests/web/mutate.py "$fuzz" 2000
status "two thousand pictures with damaged metadata" 0 timeout 300 $web -q "$fuzz"
cp "$fuzz/index.html" "$tmp/page.xml"
status "... a well-formed page" 0 xmllint --huge --noout "$tmp/page.xml"
is "... of the page's own elements only" "$(python3 tests/web/page.py tags "$fuzz/index.html")" ""
read_ones=$(grep -o '"kind":' "$fuzz/index.html" | wc -l)
[ "$read_ones" -gt 200 ] && [ "$read_ones" -lt 1800 ] && ok "... some were readable, some not" || not_ok "... some were readable, some not" "$read_ones"

# ---- files that are not listed, links that are not followed --------------------------------------------

links=$tmp/links.d
mkdir -p "$links/.hidden" "$links/sub" "$tmp/outside"
picture "$tmp/outside/secret.svg" '{"title":"secret"}'
picture "$links/.hidden/secret.svg" '{"title":"secret"}'
picture "$links/.secret.svg" '{"title":"secret"}'
picture "$links/sub/ok.svg" '{"title":"fine"}'
: >"$links/secret.html"; : >"$links/secret.svg.AbCdEf"
ln -s "$tmp/outside" "$links/secret"
ln -s "$tmp/outside/secret.svg" "$links/secret.svg"
ln -s . "$links/sub/loop"
status "links, hidden and other files" 0 timeout 300 $web "$links"
has_not "... are not on the page" "$links/index.html" secret
has "... what is below is" "$links/index.html" 'href="sub/ok.svg"'
has "... and links are mentioned" "$tmp/err" "3 symbolic links not followed"
deep=$tmp/deep
mkdir -p "$deep/$(printf 'd/%.0s' $(seq 100))"
status "a directory of a hundred levels" 0 timeout 300 $web "$deep"
has "... is cut" "$tmp/err" "too deep"
if [ "$(id -u)" = 0 ]; then
	mkdir -p "$tmp/rights/closed"
	picture "$tmp/rights/unreadable.svg" '{}'
	chmod 0 "$tmp/rights/unreadable.svg" "$tmp/rights/closed"
	for up in "$tmp" "$(dirname "$tmp")" "$(dirname "$(dirname "$tmp")")"; do [ "$up" = /tmp ] || chmod a+x "$up"; done
	cp "$(dirname "$pyrograph")/pyrograph-web" "$tmp/pyrograph-web"
	status "files without the right to read them" 0 setpriv --reuid 65534 --clear-groups "$tmp/pyrograph-web" -o - "$tmp/rights"
	has "... are listed" "$tmp/out" 'href="unreadable.svg"'
	has "... with the reason" "$tmp/err" "unreadable.svg: Permission denied"
	has "... directories too" "$tmp/err" "closed/: Permission denied"
else
	skip "files without the right to read them" "needs root"
fi

# ---- the page's own file -----------------------------------------------------------------

mkdir "$tmp/none"
status "an empty directory" 0 $web "$tmp/none"
has "... says how to make a picture" "$tmp/none/index.html" "pyrograph report -a"
cp "$tmp/none/index.html" "$tmp/page.xml"
status "... in well-formed markup" 0 xmllint --noout "$tmp/page.xml"
status "no such directory" 1 $web "$tmp/missing"
has "... is said" "$tmp/err" "$tmp/missing: No such file or directory"
status "a file is no directory" 1 $web "$tmp/none/index.html"
has "... is said, and what to do" "$tmp/err" "$tmp/none/index.html: is a file; give the directory that it is in: pyrograph web $tmp/none"
(program=$(realpath "$pyrograph") && cd "$tmp/none" && "$program" web index.html) 2>"$tmp/err"
has "... in the directory itself, too" "$tmp/err" "pyrograph web ."
status "no directory at all" 2 $web
status "two of them" 2 $web "$tmp" "$tmp"
status "a page elsewhere" 2 $web -o ../x.html "$tmp/none"
status "a page of another name" 0 $web -o all.html "$tmp/none"
[ -s "$tmp/none/all.html" ] && ok "... is there" || not_ok "... is there"
mkdir "$tmp/site"
echo '<h1>My home page</h1>' >"$tmp/site/index.html"
status "somebody's own index.html is not replaced" 1 $web "$tmp/site"
is "... is as it was" "$(cat "$tmp/site/index.html")" '<h1>My home page</h1>'
status "... but with --force" 0 $web --force "$tmp/site"
has "... it is" "$tmp/site/index.html" "No pictures yet"
status "a full disk is a failure" 1 sh -c "$web -o - '$dir' >/dev/full"
has "... which is said" "$tmp/err" "could not write"
ls -A "$dir" | grep -q 'index.html\.' && not_ok "no temporary file stays" || ok "no temporary file stays"

# ---- many ----------------------------------------------------------------------------------

many=$tmp/many
mkdir "$many"
python3 - "$many" <<'END'
import sys
for i in range(5000):
    with open(f"{sys.argv[1]}/host{i % 50}-{i:05}.svg", "w") as f:
        f.write('<svg xmlns="http://www.w3.org/2000/svg"><metadata id="pyrograph">'
                f'{{"kind":"flame","title":"t","total":{i},"host":"h{i % 50}",'
                f'"start":"2026-11-{i % 28 + 1:02}T10:15:02Z"}}</metadata>' + " " * 40000 + '</svg>\n')
END
status "five thousand pictures" 0 $web "$many"
start=$(date +%s%N)
status "... and again" 0 $web -q "$many"
echo "# figure: the index of 5,000 charts of 40 kB: $((($(date +%s%N) - start) / 1000000)) ms"
is "... are all there" "$(grep -rho '"url":"host' "$many/charts.json" "$many/index-files" | wc -l)" 5000

# ---- scripts of former versions --------------------------------------------------------------

olden=$tmp/olden
mkdir -p "$olden"
"$pyrograph" render script --into "$olden/chart-scripts" flame heat >"$tmp/names"
flame=$(grep flame "$tmp/names") heat=$(grep heat "$tmp/names")
printf 'main;f 3\n' >"$tmp/lines.folded"
"$pyrograph" render flame --script "chart-scripts/$flame" -o "$olden/old.svg" "$tmp/lines.folded"
cd "$olden/chart-scripts" || exit
touch -d 2026-01-02T00:00:00Z "$flame" "$heat"
printf '/* pyrograph render: the script of the charts */' >"flame-0123456789abcdef.js" # newer, not its hash
for name in "heat-$(printf %016d 7).js" "Flame-$(printf %016d 7).js" flame-1.js notes.js; do echo x >"$name"; done
cp "$flame" "$tmp/elsewhere.js"
ln -s "$tmp/elsewhere.js" "flame-aaaaaaaaaaaaaaaa.js"
ls >"$tmp/before"
cd "$OLDPWD" || exit
status "a chart refers to its script" 0 $web "$olden"
is "... which stays" "$(ls "$olden/chart-scripts/$flame")" "$olden/chart-scripts/$flame"
is "... one that none refers to goes" "$(ls "$olden/chart-scripts" | diff "$tmp/before" - | sed -n 's/^[<>] //p')" "$heat"
has "... and it is said" "$tmp/err" "removed 1 script of former versions"
rm "$olden/old.svg"
echo '<svg' >"$olden/broken.svg"
status "a chart that cannot be read" 0 $web -q "$olden"
is "... may need anything" "$(ls "$olden/chart-scripts/$flame")" "$olden/chart-scripts/$flame"
rm "$olden/broken.svg"
ln -s /nowhere.svg "$olden/link.svg"
status "a link" 0 $web -q "$olden"
is "... may, too" "$(ls "$olden/chart-scripts/$flame")" "$olden/chart-scripts/$flame"
rm "$olden/link.svg"
touch "$olden/chart-scripts/$flame"
touch -d 2026-01-02T00:00:00Z "$olden/chart-scripts/flame-0123456789abcdef.js"
status "the newest script of a chart" 0 $web -q "$olden"
is "... is for a report that draws" "$(ls "$olden/chart-scripts/$flame")" "$olden/chart-scripts/$flame"
touch -d 2026-01-01T00:00:00Z "$olden/chart-scripts/$flame"
mv "$olden/chart-scripts" "$tmp/scripts"
ln -s "$tmp/scripts" "$olden/chart-scripts"
status "a link in place of the folder" 0 $web -q "$olden"
is "... is not followed" "$(ls "$tmp/scripts/$flame")" "$tmp/scripts/$flame"
rm "$olden/chart-scripts"
mv "$tmp/scripts" "$olden/chart-scripts"
status "a script that no chart needs" 0 $web -q "$olden"
is "... is removed" "$(ls "$olden/chart-scripts" | diff "$tmp/before" - | sed -n 's/^[<>] //p' | sort | xargs)" "$(printf '%s\n' "$flame" "$heat" | sort | xargs)"
