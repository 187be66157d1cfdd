#!/bin/sh
# Who answers for a package that is built here: "NAME <ADDRESS>".  That is whom Debian's tools are told (DEBFULLNAME, DEBEMAIL),
# or else the author of the last commit.
set -e
if [ "${DEBFULLNAME:-}" ] && [ "${DEBEMAIL:-}" ]; then
	echo "$DEBFULLNAME <$DEBEMAIL>"
else
	git log -1 --format='%an <%ae>'
fi
