#!/bin/sh
# Installs a package of npm's where it is wanted, unless it is there already; then it needs no network.
#
#   tests/npm.sh DIR PACKAGE    DIR/package.json says which version, DIR/package-lock.json with what else
cd "$1" || exit 1
wanted=$(sed -n "s|.*\"$2\": \"\(.*\)\".*|\1|p" package.json)
installed=$(sed -n 's/^ *"version": "\(.*\)".*/\1/p' "node_modules/$2/package.json" 2>/dev/null)
[ "$installed" != "$wanted" ] || exit 0
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
