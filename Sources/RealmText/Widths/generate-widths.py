#!/usr/bin/env python3
"""Writes CharacterWidthTable.swift from the Unicode data that this Python carries.

    python3 generate-widths.py > CharacterWidthTable.swift

Properties used: general category and East Asian Width (Unicode Standard Annex #11). Ranges are set apart for wide
characters even where nothing is assigned yet, so that newer emoji and ideographs come out right as well.
"""
import sys
import unicodedata as u

LAST = 0x10FFFF

# Reserved for wide characters, assigned or not (UAX #11, section 6; the blocks of pictographs).
RESERVED_WIDE = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD),
                 (0x1F900, 0x1F9FF), (0x1FA70, 0x1FAFF), (0x17000, 0x18CFF)]
# Narrow or ambiguous in the data of Unicode 14, wide in the C library and to terminals (the hexagrams since Unicode 16).
DRAWN_WIDE = [(0x3248, 0x324F), (0x4DC0, 0x4DFF)]
# Format characters that take a place of their own: the soft hyphen, and the signs that enclose digits.
SPACING = {0x00AD, 0x0600, 0x0601, 0x0602, 0x0603, 0x0604, 0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD,
           0x110CD}
# Vowels and final consonants that join the leading consonant of a Hangul syllable.
JAMO = [(0x1160, 0x11FF), (0xD7B0, 0xD7FB)]


def within(code, ranges):
    return any(first <= code <= last for first, last in ranges)


def width(code):
    character = chr(code)
    category = u.category(character)
    if code in SPACING:
        return 1
    if category in ("Mn", "Me", "Cf") or within(code, JAMO):
        return 0
    if u.east_asian_width(character) in ("W", "F") or within(code, DRAWN_WIDE):
        return 2
    if category == "Cn" and within(code, RESERVED_WIDE):
        return 2
    return 1


def is_hidden(code):
    """Characters that would not show, or would act on the terminal or on the text around them."""
    if within(code, [(0xFE00, 0xFE0F), (0xE0100, 0xE01EF)]) or code in (0x200C, 0x200D):
        return False
    category = u.category(chr(code))
    if category in ("Cc", "Zl", "Zp", "Cs"):
        return True
    if category == "Cf" and code not in SPACING - {0x00AD}:
        return True
    # Noncharacters.
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def ranges(wanted):
    start = None
    for code in range(LAST + 2):
        inside = code <= LAST and wanted(code)
        if inside and start is None:
            start = code
        if not inside and start is not None:
            yield start, code - 1
            start = None


def table(name, comment, wanted):
    print(f"  /// {comment}")
    print(f"  package static let {name}: [UInt32] = [")
    line = "   "
    for first, last in ranges(wanted):
        entry = f" 0x{first:x}, 0x{last + 1:x},"
        if len(line) + len(entry) > 118:
            print(line)
            line = "   "
        line += entry
    print(line)
    print("  ]")


print(f"""// Written by generate-widths.py from Unicode {u.unidata_version}; not to be edited.

/// Which characters take no place, two places, or must not be sent to a terminal: the first character of each range and
/// the first one behind it, sorted. Plain numbers, because compiling them as a thousand ranges took seconds.
package enum CharacterWidthTable {{""")
table("zeroWidth", "Marks and joiners, drawn on the character before them.", lambda code: width(code) == 0)
print()
table("wide", "East Asian wide and fullwidth characters, and emoji.", lambda code: width(code) == 2)
print()
table("hidden", "Controls, characters that turn the direction of writing, invisible ones, noncharacters.", is_hidden)
print("}")
