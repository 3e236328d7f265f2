#!/usr/bin/env python3
"""Writes operations.txt: sums, differences, products and quotients of decimals as Python's decimal module has them.

usage: write-cases.py [SEED [COUNT]]
"""

import decimal
import random
import sys

# 34 digits and the exponents of IEEE 754 decimal128; numbers with high exponents get zeros at their end.
CONTEXT = decimal.Context(
    prec=34, Emin=-6143, Emax=6144, rounding=decimal.ROUND_HALF_EVEN, clamp=1, traps=[])
LOWEST, HIGHEST = -6176, 6111
OPERATIONS = {
    "+": CONTEXT.add, "-": CONTEXT.subtract, "*": CONTEXT.multiply, "/": CONTEXT.divide}
# Where rounding at the ends of the range is decided.
CORNERS = [
    (c, e) for e in (LOWEST, LOWEST + 1, LOWEST + 33, -3088, -34, 0, 34, HIGHEST - 1, HIGHEST)
    for c in (0, 1, 5, 6, 10**33, 10**34 - 1)]


def coefficient(generator):
    digits = generator.choice([0, 1, 1, 2, 8, 16, 17, 33, 34, 34, generator.randint(1, 34)])
    if digits == 0:
        return 0
    kind = generator.random()
    if kind < 0.6:
        return generator.randrange(10**digits)
    if kind < 0.7:
        return 10**digits - 1
    if kind < 0.8:
        return 10 ** (digits - 1)
    if kind < 0.9:
        return max(0, 5 * 10 ** (digits - 1) + generator.choice([-1, 0, 1]))
    return generator.randrange(10 ** max(1, digits // 2)) * 10 ** (digits - digits // 2)


def exponent(generator):
    low, high = generator.choice([
        (-40, 40), (-40, 40), (LOWEST, -6100), (6040, HIGHEST), (-3110, -3060), (3020, 3060), (LOWEST, HIGHEST)])
    return generator.randint(low, high)


def number(generator, near=None):
    if generator.random() < 0.01:
        return decimal.Decimal(generator.choice(["Infinity", "-Infinity", "NaN"]))
    if generator.random() < 0.2:
        digits, power = generator.choice(CORNERS)
    else:
        digits, power = min(coefficient(generator), 10**34 - 1), exponent(generator)
    if near is not None and near.is_finite() and generator.random() < 0.5:
        power = min(max(near.as_tuple().exponent + generator.randint(-40, 40), LOWEST), HIGHEST)
    return decimal.Decimal((generator.getrandbits(1), tuple(map(int, str(digits))), power))


def main(seed=1, count=3000):
    generator = random.Random(seed)
    for _ in range(count):
        left = number(generator)
        right = number(generator, near=left)
        sign = generator.choice(list(OPERATIONS))
        print(left, sign, right, "=", OPERATIONS[sign](left, right))


main(*map(int, sys.argv[1:]))
