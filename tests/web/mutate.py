"""Writes pictures whose metadata is damaged at random, the same ones each time.

    mutate.py DIR COUNT
"""
import os
import random
import sys

METADATA = (
    b'<metadata id="pyrograph">{"kind":"flame","title":"CPU","unit":"samples","total":12345,'
    b'"thread":"java-8/\\u00fc","host":"db1","event":"cpu-clock","start":"2026-11-21T10:15:02.000Z",'
    b'"end":"2026-11-21T10:15:07.010Z","rate":"99Hz","kernel":"6.1.0","command":"a -b","filter":"x",'
    b'"lost":"3/12348","losses":"throttled 3","unresolved":"700/9000"}</metadata>')
PIECES = [b"\\u", b"\\ud83d\\ud", b'"', b"\\", b"{", b"<", b"</a><script>", b"'", b"&", b"\xff\xfe", b"\0",
          b'"total":99999999999999999999,', b"99999999999999999999/1", b"18446744073709551615/1", b"-1",
          b"9999-99-99T99:99:99Z"]

directory, count = sys.argv[1], int(sys.argv[2])
rng = random.Random(1)
for i in range(count):
    text = bytearray(METADATA)
    for _ in range(rng.randint(1, 5)):
        at, kind = rng.randrange(26, len(text)), rng.random()
        if kind < 0.4:
            text[at] = rng.randrange(256)
        elif kind < 0.6:
            del text[at:at + rng.randint(1, 20)]
        elif kind < 0.9:
            text[at:at] = rng.choice(PIECES)
        else:
            text[at:at] = text[26:rng.randrange(27, len(text))]
    with open(os.path.join(directory, f"{i:05}.svg"), "wb") as file:
        file.write(b'<svg xmlns="x">' + text + b"</svg>")
