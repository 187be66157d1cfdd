# README.md and the pages in docs/ and examples/: their links, anchors, sizes, and the make targets and files that they
# name.
. tests/tap.sh

if command -v python3 >/dev/null; then
	python3 tests/docs.py
else
	skip "pages" "no python3"
fi
