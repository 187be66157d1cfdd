#!/usr/bin/env python3
"""Compares pictures of a flame graph where its SVG has frames.

compare_png.py SVG PNG EXPECTED   same size, same colours along the frames' edges
compare_png.py --tap SVG EXPECTED [WHAT PNG]...  the same of several, as TAP lines
compare_png.py --overflow SVG PNG no dark pixel right of a label's frame
"""
import functools
import itertools
import re
import struct
import sys
import zlib

TOLERANCE = 24  # of 255; different libraries blend edges between pixels differently


def read_png(path):
    """Rows of (r, g, b); 8 bits a channel, not interlaced, as cairo writes them."""
    return rows_of(open(path, "rb").read())


@functools.lru_cache(maxsize=None)  # two files are often the same
def rows_of(data):
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    step = {2: 3, 6: 4}[colour]
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        line = y * (width * step + 1)
        row = unfilter(raw[line], bytearray(raw[line + 1:line + 1 + width * step]), before, step)
        rows.append(Row(row, step))
        before = row
    return rows


class Row:
    """Pixels of a row: few of them are looked at."""

    def __init__(self, content, step):
        self.content, self.step = content, step

    def __len__(self):
        return len(self.content) // self.step

    def __getitem__(self, x):
        return tuple(self.content[x * self.step:x * self.step + 3])


def unfilter(kind, row, up, step):
    """The bytes of a row; those of Python's own loops count, as a picture has a million."""
    size = len(row)
    if kind == 1:
        for channel in range(step):
            row[channel::step] = bytes(value & 255 for value in itertools.accumulate(row[channel::step]))
    elif kind == 2:  # adds all bytes at once; no carry goes from one byte to the next
        low, high = (int.from_bytes(bytes([mask]) * size, "big") for mask in (0x7f, 0x80))
        a, b = int.from_bytes(row, "big"), int.from_bytes(up, "big")
        row[:] = ((a & low) + (b & low) ^ (a ^ b) & high).to_bytes(size, "big")
    elif kind == 3:
        for i in range(size):
            row[i] = row[i] + ((row[i - step] if i >= step else 0) + up[i]) // 2 & 255
    elif kind == 4:
        for i in range(step):
            row[i] = row[i] + up[i] & 255
        for channel in range(step):
            left, corner = row[channel], up[channel]
            for i in range(channel + step, size, step):
                above = up[i]
                if left == corner:  # most are of one colour
                    best = above
                elif above == corner:
                    best = left
                else:
                    to_left, to_above = abs(above - corner), abs(left - corner)
                    to_corner = abs(left + above - corner - corner)
                    best = left if to_left <= to_above and to_left <= to_corner else above if to_above <= to_corner else corner
                row[i] = left = row[i] + best & 255
                corner = above
    return row


@functools.lru_cache(maxsize=None)
def frames(svg):
    """(x, y, width, height, colour) of each frame."""
    pattern = r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#(\w+)"><title>'
    return [[*map(float, area), tuple(bytes.fromhex(colour))] for *area, colour in re.findall(pattern, open(svg).read())]


def near(a, b):
    return all(abs(x - y) <= TOLERANCE for x, y in zip(a, b))


def compare(svg, png, expected):
    got, wanted = read_png(png), read_png(expected)
    if (len(got), len(got[0])) != (len(wanted), len(wanted[0])):
        sys.exit(f"{len(got[0])}x{len(got)}, expected {len(wanted[0])}x{len(wanted)}")
    points = 0
    for x, y, width, height, colour in frames(svg):
        if width < 6:
            continue
        for px in range(int(x) + 3, int(x + width) - 2, 2):
            py = int(y + height) - 1  # below the text
            points += 1
            # Letters depend on the font: below the line (g, p, _), then above it, then above it beside the letter (l,
            # j).
            places = ((px, py), (px, int(y) + 1), (px + 1, int(y) + 1))
            if not all(any(near(picture[b][a], colour) for a, b in places) for picture in (got, wanted)):
                sys.exit(f"at {px},{py}: {got[py][px]}, expected {wanted[py][px]}, frame {colour}")
    if points < 100:
        sys.exit(f"only {points} points to compare")
    return points


def overflow(svg, png):
    """Right of each frame's last label pixel there is a margin of its own colour."""
    got = read_png(png)
    for x, y, width, height, colour in frames(svg):
        if width < 10:
            continue
        for py in range(int(y) + 2, int(y + height) - 2):
            px = int(x + width) - 2
            if not near(got[py][px], colour):
                sys.exit(f"text at the right edge of the frame at {x},{y}: {got[py][px]}")


def tap(svg, expected, *pairs):
    for what, png in zip(pairs[::2], pairs[1::2]):
        try:
            print("ok - %s: %d points" % (what, compare(svg, png, expected)))
        except (SystemExit, OSError, ValueError, LookupError, zlib.error, struct.error) as error:
            print("not ok - %s\n#   %s" % (what, error))


if __name__ == "__main__":
    if sys.argv[1] == "--overflow":
        overflow(*sys.argv[2:])
    elif sys.argv[1] == "--tap":
        tap(*sys.argv[2:])
    else:
        print(compare(*sys.argv[1:]), "points")
