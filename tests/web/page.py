"""Reads a page of pyrograph web as a browser would and prints what is in it.

    page.py links DIR PAGE    each link, decoded, and whether it leads to a file
    page.py text PAGE         the text that a reader sees
    page.py tags PAGE         each element that is none of the page's own
"""
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote_to_bytes, urlsplit

KNOWN = set(
    "html head meta link title style body header h1 h2 h3 h4 p span form input select option "
    "output main section article figure figcaption a img ul ol li div details summary time pre "
    "script".split())


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.text, self.strange, self.skip = [], [], [], 0
        self.feed(text)

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
        if not self.skip and data.strip():
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
