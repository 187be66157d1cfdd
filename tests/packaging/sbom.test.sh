#!/bin/sh
# make sbom: all that the build needs, each with a version, the same bytes twice.
. tests/tap.sh

command -v dpkg-query >/dev/null && command -v python3 >/dev/null || { skip "make sbom" "no dpkg, or no python3"; exit 0; }
packages=$(make -s --no-print-directory -pn 2>/dev/null | sed -n 's/^BUILD_PACKAGES := //p')
for package in $packages; do
	dpkg-query -W "$package" >"$tmp/out" 2>&1 || { skip "make sbom" "$package is not installed"; exit 0; }
done
version=$(sed -n 's/^VERSION := //p' Makefile)
# shellcheck disable=SC2086 # words
status "the bill of what the Makefile lists" 0 python3 packaging/sbom.py "$version" $packages
cp "$tmp/out" "$tmp/one.json"
# shellcheck disable=SC2086
python3 packaging/sbom.py "$version" $packages >"$tmp/two.json"
same "... twice" "$tmp/two.json" "$tmp/one.json"
python3 - "$tmp/one.json" "$version" $packages >"$tmp/got" 2>&1 <<'end'
import json, re, sys
bill, version, names = json.load(open(sys.argv[1])), sys.argv[2], set(sys.argv[3:])
packages = {package["name"]: package for package in bill["packages"]}
ids = [package["SPDXID"] for package in bill["packages"]]
print(bill["spdxVersion"], packages["pyrograph"]["versionInfo"] == version, set(packages) == names | {"pyrograph"})
print("ids", len(set(ids)) == len(ids), all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", name) for name in ids))
print("versions", all(package["versionInfo"] for package in packages.values()))
related = {r["spdxElementId"] for r in bill["relationships"]} | {r["relatedSpdxElement"] for r in bill["relationships"]}
print("related", set(ids) <= related, related <= set(ids) | {"SPDXRef-DOCUMENT"})
print("created", bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["creationInfo"]["created"])))
end
printf '%s\n' "SPDX-2.3 True True" "ids True True" "versions True" "related True True" "created True" >"$tmp/wanted"
same "... is a document of SPDX 2.3" "$tmp/got" "$tmp/wanted"
status "a package that is not installed is no part of a bill" 1 python3 packaging/sbom.py "$version" no-such-package
