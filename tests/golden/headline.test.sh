#!/bin/sh
# --headline of all charts: shown under the title, whole in the metadata and the description, and never markup.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
golden=tests/golden
long=$(printf 'exec-%s waited, ' $(seq 60))

# in_picture WHAT PLAIN.svg WITH.svg: the headline is there, and everything else is lower by the height of its lines.
in_picture()
{
	python3 - "$2" "$3" "$long" >"$tmp/found" <<-'PY'
		import json, sys, xml.etree.ElementTree as xml
		svg = "{http://www.w3.org/2000/svg}"
		plain, told = (xml.parse(path).getroot() for path in sys.argv[1:3])
		texts = lambda root: [text for text in root.iter(svg + "text") if text.text]
		shown = [text.text for text in texts(told)]
		about = json.loads(told.find(svg + "metadata[@id='pyrograph']").text)
		whole = ["one <b>&amp; \"two\"", "three", sys.argv[3]]
		print("metadata", "\n".join(whole).startswith(about["headline"]) and len(about["headline"]) > 900)
		print("description", told.find(svg + "desc").text.startswith("\n".join(whole)))
		print("shown", all(line in shown for line in whole[:2]), any(s.startswith("exec-1 waited,") for s in shown))
		print("cut", shown.count("three"), sum("exec-" in s and "waited" in s for s in shown) <= 2)
		moved = float(told.get("height")) - float(plain.get("height"))
		print("no overlap", moved == 4 * 18)
		tops = sorted(float(text.get("y")) for text in texts(told) if text.text in shown[:5])
		print("lines", all(b - a >= 12 for a, b in zip(tops, tops[1:])))
	PY
	is "$1" "$(cat "$tmp/found")" "metadata True
description True
shown True True
cut 1 True
no overlap True
lines True"
}

while read -r verb file options <&3; do
	set -- --script chart.js -q $options
	$render "$verb" "$@" "$golden/$file" >"$tmp/plain.svg" 2>"$tmp/err" || not_ok "$verb" "$tmp/err"
	$render "$verb" "$@" --headline 'one <b>&amp; "two"
three' --headline "$long" "$golden/$file" >"$tmp/told.svg" 2>"$tmp/err" || not_ok "$verb --headline" "$tmp/err"
	in_picture "$verb $options --headline" "$tmp/plain.svg" "$tmp/told.svg"
done 3<<EOT
flame flame/plain.folded --width 1200
flame flame/plain.folded --icicle
flame layers/after.folded --diff $golden/layers/before.folded
flame layers/after.folded --multiples $golden/layers/before.folded
heat heat/plain.folded
states states/plain.folded
tenancy tenancy/sums.folded
tenancy tenancy/time.folded
EOT

$render flame -q --headline 'it <waited>' $golden/flame/plain.folded | $render folded -q >"$tmp/lines" 2>"$tmp/err"
$render flame -q $golden/flame/plain.folded | $render folded -q >"$tmp/wanted" 2>"$tmp/err"
same "the lines of a picture do not have it" "$tmp/lines" "$tmp/wanted"

# ---- other files ---------------------------------------------------------------------

$render flame -q --split 1 --headline 'it <waited>' -o "$tmp/split" $golden/flame/java.folded
has "the page of --split has it" "$tmp/split/index.html" '<p class="details">it &lt;waited&gt;</p>'
has "and so has each of its pictures" "$(ls "$tmp"/split/*.svg | head -1)" '>it &lt;waited&gt;</text>'
$render flame -q -o "$tmp/plain.png" $golden/flame/java.folded
$render flame -q --headline 'it waited' -o "$tmp/told.png" $golden/flame/java.folded
is "a PNG has it" "$(python3 -c 'import struct, sys
print(*(struct.unpack(">I", open(path, "rb").read()[20:24])[0] for path in sys.argv[1:]))' \
	"$tmp/plain.png" "$tmp/told.png" | awk '{ print $2 - $1 }')" 18
if command -v pdftotext >/dev/null; then
	$render flame -q --headline 'it waited' -o "$tmp/told.pdf" $golden/flame/java.folded
	pdftotext "$tmp/told.pdf" "$tmp/told.txt"
	has "a PDF has it" "$tmp/told.txt" "it waited"
else
	skip "a PDF has it" "no pdftotext"
fi

# ---- whatever it holds ---------------------------------------------------------------

{ printf '\001\033[31m</text><script>alert(1)</script>\377\n%.0s' 1 2; head -c 100000 /dev/zero | tr '\0' '<'; } >"$tmp/hostile"
$render flame -q --headline "$(cat "$tmp/hostile")" $golden/flame/plain.folded >"$tmp/told.svg"
xmllint --noout "$tmp/told.svg" 2>"$tmp/err" && ok "any bytes: XML" || not_ok "any bytes: XML" "$tmp/err"
has_not "any bytes: no script" "$tmp/told.svg" '<script>alert'
$render flame -q --no-javascript --headline "$(yes line | head -20)" $golden/flame/plain.folded >"$tmp/told.svg"
is "at most four lines are shown" "$(grep -c '>line</text>' "$tmp/told.svg")" 4
