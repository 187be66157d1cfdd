#!/usr/bin/env python3
"""sbom.py: a bill of materials, SPDX 2.3 as JSON, on stdout.

  packaging/sbom.py VERSION PACKAGE ...

PACKAGE: what the build needs, as the Makefile lists it; their versions and licenses are those of dpkg here.  Libraries are
DEPENDENCY_OF the programs, compilers and the like BUILD_TOOL_OF.  The same machine and commit give the same bytes.
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

PURL = "pkg:deb/%s/%s@%s?arch=%s"
TOOLS = {"gcc", "make", "pkg-config", "clang", "bpftool"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit():
    """Its hash and time; in a tarball, the time of its files."""
    try:
        name, seconds = output("git", "log", "-1", "--format=%H %ct").split()
    except (subprocess.CalledProcessError, FileNotFoundError):
        name, seconds = "tarball", os.environ.get("SOURCE_DATE_EPOCH") or int(os.stat("Makefile").st_mtime)
    return name, datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def license_ids(package):
    """The names that the package's copyright file uses; these are Debian's, not SPDX's."""
    try:
        with open("/usr/share/doc/%s/copyright" % package, encoding="utf-8", errors="replace") as file:
            return sorted(set(re.findall(r"^License: *(\S.*?)\s*$", file.read(), re.M)))
    except OSError:
        return []


def described(package, distribution):
    version, arch, source = output("dpkg-query", "-W", "-f", "${Version} ${Architecture} ${source:Package}", package).split()
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", package),
        "name": package,
        "versionInfo": version,
        "supplier": "Organization: Debian",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "licenseComments": "; ".join(license_ids(package)) or "no copyright file in DEP-5 form",
        "copyrightText": "NOASSERTION",
        "sourceInfo": "Debian source package " + source,
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": PURL % (distribution, package, version.replace("+", "%2B").replace(":", "%3A"), arch),
        }],
    }


def bill(version, packages):
    name, created = commit()
    own = {
        "SPDXID": "SPDXRef-pyrograph",
        "name": "pyrograph",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "GPL-2.0-or-later",
        "licenseDeclared": "GPL-2.0-or-later",
        "copyrightText": "NOASSERTION",
        "sourceInfo": "git commit " + name,
        "primaryPackagePurpose": "APPLICATION",
    }
    parts = [described(package, "debian") for package in sorted(set(packages))]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])] + [
        (part["SPDXID"], "BUILD_TOOL_OF" if part["name"] in TOOLS else "DEPENDENCY_OF", own["SPDXID"]) for part in parts]
    content = hashlib.sha256(json.dumps([own, parts], sort_keys=True).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": "pyrograph-" + version,
        "documentNamespace": "https://spdx.org/spdxdocs/pyrograph-%s-%s" % (version, content[:32]),
        "creationInfo": {"created": created, "creators": ["Tool: packaging/sbom.py"]},
        "packages": [own, *parts],
        "relationships": [{"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b} for a, how, b in relations],
    }


if len(sys.argv) < 2:
    sys.exit(__doc__)
json.dump(bill(sys.argv[1], sys.argv[2:]), sys.stdout, indent=2)
print()
