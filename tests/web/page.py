"""Reads a page of pyrograph web as a browser would and prints what is in it.

    page.py links DIR PAGE    each link, decoded, and whether it leads to a file
    page.py text PAGE         the text that a reader sees, and each text of the data
    page.py tags PAGE         each element that is none of the page's own
"""
import json
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote_to_bytes, urlsplit

KNOWN = set(
    "html head meta link title body header h1 p span main a ul li div details summary time pre noscript table thead "
    "tbody tr th td script".split())


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.text, self.strange, self.skip, self.data = [], [], [], 0, ""
        self.feed(text)
        if self.data:
            self.walk(json.loads(self.data))

    def walk(self, value, key=""):
        if isinstance(value, dict):
            for name, inner in value.items():
                self.walk(inner, name)
        elif isinstance(value, list):
            for inner in value:
                self.walk(inner, key)
        elif isinstance(value, str):
            (self.links if key in ("url", "thumb") else self.text).append(value)

    def handle_starttag(self, tag, attrs):
        self.skip += tag in ("style", "script")
        if tag not in KNOWN:
            self.strange.append(tag)
        for name, value in attrs:
            if name in ("href", "src") and value != "data:,":
                self.links.append(value)
            if name.startswith("on"):
                self.strange.append(f"{tag} {name}")

    def handle_endtag(self, tag):
        self.skip -= tag in ("style", "script")

    def handle_data(self, data):
        if self.skip:
            self.data += data
        elif data.strip():
            self.text.append(data.strip())


def links(page, directory):
    for link in sorted(set(page.links)):
        url = urlsplit(link)
        plain = not (url.scheme or url.netloc or url.query or url.fragment)
        path = os.path.join(os.fsencode(directory), unquote_to_bytes(url.path))
        verdict = "found" if plain and os.path.exists(path) else "LOST"
        print(verdict, ascii(unquote_to_bytes(url.path)))


mode, name = sys.argv[1], sys.argv[-1]
with open(name, encoding="utf-8", errors="strict") as file:
    document = Page(file.read())
if mode == "links":
    links(document, sys.argv[2])
elif mode == "text":
    print("\n".join(document.text))
else:
    print("\n".join(document.strange))
