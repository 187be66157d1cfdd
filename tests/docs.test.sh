# The pages of README.md, docs/ and examples/: links, anchors, make targets and files that they name, their sizes.
. tests/tap.sh

if command -v python3 >/dev/null; then
	python3 tests/docs.py
else
	skip "pages" "no python3"
fi
