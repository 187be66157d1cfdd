#!/bin/sh
# Who a Debian package that is built here names as its maintainer.
. tests/tap.sh

is "whom Debian's tools are told" "$(DEBFULLNAME='Ada B.' DEBEMAIL=ada@example.org sh packaging/maintainer.sh)" "Ada B. <ada@example.org>"
git rev-parse -q --verify HEAD >"$tmp/commit" 2>&1 || { skip "or the last author" "no git repository"; exit 0; }
last=$(git log -1 --format='%an <%ae>')
is "or the last author" "$(env -u DEBFULLNAME -u DEBEMAIL sh packaging/maintainer.sh)" "$last"
is "... also if there is only a name" "$(env -u DEBEMAIL DEBFULLNAME=Ada sh packaging/maintainer.sh)" "$last"
