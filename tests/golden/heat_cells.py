#!/usr/bin/env python3
"""The cells of a heat map's picture, as text.

heat_cells.py SVG            of each map a line for each row, from the top: the first letter of the
                             legend's text for its colour, '.' for 0, '/' for what was not seen and
                             empty, A, B, ... for other colours, which are told at the end; then,
                             where any are, the hatched ones
heat_cells.py SVG [WHAT PNG]...  are these colours where they should be in the PNGs? prints TAP lines
"""
import base64
import json
import re
import struct
import sys
import xml.etree.ElementTree as tree
import zlib

from compare_png import near, read_png, unfilter

SVG = "{http://www.w3.org/2000/svg}"


def indexed(data):
    """Rows of (r, g, b) of a PNG with a palette, or of 8 bits a channel."""
    at, packed, palette = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"PLTE":
            palette = [tuple(body[i:i + 3]) for i in range(0, size, 3)]
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    each = bits if colour == 3 else 24
    stride, raw, rows = (width * each + 7) // 8, zlib.decompress(packed), []
    before = bytearray(stride)
    for y in range(height):
        line = y * (stride + 1)
        before = unfilter(raw[line], bytearray(raw[line + 1:line + 1 + stride]), before, max(1, each // 8))
        if palette:
            numbers = before if bits == 8 else [byte >> at & (1 << bits) - 1 for byte in before for at in range(8 - bits, -1, -bits)]
            rows.append([palette[number] for number in numbers[:width]])
        else:
            rows.append(list(zip(before[::3], before[1::3], before[2::3])))
    return rows


def rgb(text):
    return tuple(bytes.fromhex(text[1:]))


class Map:
    """One map: where each cell is, and its colour."""

    def __init__(self, group, settings):
        image = group.find(SVG + "image")
        pixels = indexed(base64.b64decode(image.get("href").split(",", 1)[1]))
        self.columns, self.rows = settings["columns"], settings["rows"]
        x, y, w, h = (float(image.get(name)) for name in ("x", "y", "width", "height"))
        self.title = next((e.text for e in group.findall(SVG + "text") if e.get("class") == "details"), "")
        self.size = w / self.columns, h / self.rows
        at = lambda i, n, whole: int((i + 0.5) * whole / n)
        self.cells = [[pixels[at(r, self.rows, len(pixels))][at(c, self.columns, len(pixels[0]))]
                       for c in range(self.columns)] for r in range(self.rows)]
        self.centre = lambda c, r: (x + (c + 0.5) * self.size[0], y + (r + 0.5) * self.size[1])
        areas = [tuple(map(float, a)) for path in group.findall(SVG + "path") if path.get("class") == "hatched"
                 for a in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)", path.get("d"))]
        inside = lambda px, py: any(a <= px <= a + c and b <= py <= b + d for a, b, c, d in areas)
        self.hatched = [[inside(*self.centre(c, r)) for c in range(self.columns)] for r in range(self.rows)]


def legend(root):
    """(colour, letter) of each entry."""
    group = next(g for g in root.iter(SVG + "g") if g.get("id") == "legend")
    colours = [rgb(e.get("fill")) for e in group.findall(SVG + "rect")]
    texts = [e.text for e in group.findall(SVG + "text")]
    letters = ["/" if t == "not seen" else "." if t == "0" else t[0] for t in texts]
    return dict(zip(colours, letters)), texts


def show(maps, letters, texts):
    others = {}

    def letter(colour):
        if colour in letters:
            return letters[colour]
        return others.setdefault(colour, chr(ord("A") + len(others)) if len(others) < 26 else "?")

    letters.setdefault((255, 255, 255), ".")
    print("legend: " + " | ".join(texts))
    for m in maps:
        print(f"\n{m.title}" if m.title else "")
        for row in m.cells:
            print("".join(map(letter, row)))
        if any(map(any, m.hatched)):
            print("hatched:")
            for row in m.hatched:
                print("".join("/" if cell else "-" for cell in row))
    for colour, name in others.items():
        print(f"{name} #{bytes(colour).hex()}")


def compare(maps, path):
    picture, points = read_png(path), 0
    for m in maps:
        for r in range(m.rows):
            for c in range(m.columns):
                x, y = m.centre(c, r)
                if m.hatched[r][c]:
                    continue
                points += 1
                if not near(picture[int(y)][int(x)], m.cells[r][c]):
                    raise ValueError(f"{path}: column {c}, row {r} from the top: {picture[int(y)][int(x)]}, "
                                     f"expected {m.cells[r][c]}")
    return points


def main():
    root = tree.parse(sys.argv[1]).getroot()
    settings = json.loads(next(e.text for e in root.iter(SVG + "metadata") if e.get("id") == "heat"))
    maps = [Map(g, settings) for g in root.iter(SVG + "g") if g.get("class") == "map"]
    if len(sys.argv) == 2:
        show(maps, *legend(root))
    for what, path in zip(sys.argv[2::2], sys.argv[3::2]):
        try:
            print("ok - %s: the same colours, %d cells" % (what, compare(maps, path)))
        except (OSError, ValueError, LookupError, zlib.error, struct.error) as error:
            print("not ok - %s\n#   %s" % (what, error))


main()
