#!/bin/sh
# Installs what the browser tests need, unless it is there already; then it needs
# no network.
cd "$(dirname "$0")" || exit 1
wanted=$(sed -n 's/.*"playwright-core": "\(.*\)".*/\1/p' package.json)
installed=$(sed -n 's/^ *"version": "\(.*\)".*/\1/p' node_modules/playwright-core/package.json 2>/dev/null)
[ "$installed" != "$wanted" ] || exit 0
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
