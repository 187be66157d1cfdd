#!/bin/sh
# Installs an npm package into a directory; if it is already installed, no network is needed.
#
#   tests/npm.sh DIR PACKAGE    DIR/package.json has the version, DIR/package-lock.json the dependencies
cd "$1" || exit 1
wanted=$(sed -n "s|.*\"$2\": \"\(.*\)\".*|\1|p" package.json)
installed=$(sed -n 's/^ *"version": "\(.*\)".*/\1/p' "node_modules/$2/package.json" 2>/dev/null)
[ "$installed" != "$wanted" ] || exit 0
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
