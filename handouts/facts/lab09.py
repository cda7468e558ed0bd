"""What lab 09's handout says in numbers."""

import ctypes
import math
import pathlib
import re

WAYS = (("sum_by_threads", "an atomic a thread"), ("sum_by_blocks", "an atomic a block"),
        ("sum_by_lock", "a lock a block"), ("sum_by_partials", "partial sums"))
U = 2.0 ** -53
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "labs" / "09-operators-and-locks"


def call(simulator, name, n, block):
    """A sum of n words, by which of the four ways it may be; its launches."""
    if name != "sum_by_threads" and name != "sum_by_blocks":
        return simulator.sums("09", name, n, block)
    words = [simulator.array(4 * n), simulator.array(4)]
    launches = simulator.call("09", name, words[0], ctypes.c_size_t(n), ctypes.c_uint(block), words[1])
    for word in words:
        simulator.must("cudaFree", word)
    return launches


def combine(a, b):
    n, distance = a[0] + b[0], b[1] - a[1]
    return n, a[1] + distance * b[0] / n, a[2] + b[2] + distance ** 2 * a[0] * b[0] / n


def worked(says, simulator):
    blocks, warps = 40, 160
    counts = {}
    for name, _ in WAYS:
        launches = call(simulator, name, 40_000, 128)
        assert launches[0].grid[0] == blocks and blocks * launches[0].warps == warps
        counts[name] = sum(launch.atomics for launch in launches)
    shapes = (SOURCES / "shapes.h").read_text("utf-8")
    assert "ELEMENTS = 8, MOST = 1024" in shapes and 8 * 128 == 1024
    says.says("A thread has 8 elements, or more where that would make more than 1,024 blocks")
    says.says(f"40,000 ints in blocks of 128: a block has 1,024 of them, so there are {blocks} blocks, {warps} warps.")
    says.rows(f"| an atomic a thread | {counts['sum_by_threads']} | one request a warp |")
    says.rows(f"| an atomic a block | {counts['sum_by_blocks']} | one a block |")
    says.rows(f"| a lock a block | {counts['sum_by_lock']} | each block takes and releases it; more where it has "
              "to wait |")
    says.rows(f"| partial sums | {counts['sum_by_partials']} | {blocks} stores, and a second launch |")
    a, b = combine((1, 2, 0), (1, 4, 0)), combine((1, 6, 0), (1, 8, 0))
    n, mean, m2 = combine(a, b)
    assert (a, b) == ((2, 3, 2), (2, 7, 2))
    says.says(f"The groups 2, 4 and 6, 8 have n = 2, mean 3, M2 = 2, and n = 2, mean 7, M2 = 2. The distance is 4, so "
              f"the mean of both is 3 + 4 · 2/4 = {mean:.0f}, and M2 = 2 + 2 + 16 · 2 · 2/4 = {m2:.0f}: variance "
              f"{m2 / n:.0f}, deviation {math.sqrt(m2 / n):.3f}.")
    assert (4 + 16 + 36 + 64) / 4 - 5 ** 2 == 5
    says.says("120 / 4 − 25 = 5.")
    big = 2.0 ** 30
    moved = sum((big + x) ** 2 for x in (2, 4, 6, 8)) / 4 - (big + 5) ** 2
    assert math.ulp(2.0 ** 60) == 256 and moved % 256 == 0
    says.says(f"doubles near 2^60 lie {math.ulp(2.0 ** 60):.0f} apart, so the result is a multiple of 256: of "
              f"these four, {moved:.0f}.")


def floats(says):
    assert (1e20 + -1e20) + 1 == 1 and 1e20 + (-1e20 + 1) == 0
    says.says("(10^20 + (−10^20)) + 1 is 1, and 10^20 + (−10^20 + 1) is 0.")


def bounds(says):
    """The handout's derivation, for one size."""
    n, largest = 5000, 2.0 ** 30
    depth = 128 + n / 1024
    mean, spread = 8 * depth * U * largest, math.sqrt(math.log2(n) / 2)
    deviation = 17 * depth * U * largest * spread
    says.says("D = 128 + n / 1,024")
    # An element of the smaller group, whose share of both is `share`.
    shares = [k / 1000 for k in range(1, 501)]
    assert all(1 - share <= math.log2(1 / share) / 2 for share in shares)
    says.says(f"For n = 5,000 numbers around 2^30 that is {mean:.5f} for the mean and {deviation:.4f} for the deviation")
    assert 2.0 ** 60 * U == 128
    says.says("2^60 · 2^−53 = 128")


def counters(says, simulator):
    calls = {name: call(simulator, name, 1 << 16, 256) for name, _ in WAYS}
    for name, words in WAYS:
        launches = calls[name]
        total = {what: sum(getattr(launch, what) for launch in launches)
                 for what in ("atomics", "global_load_sectors", "global_store_sectors", "barriers", "warp_instructions")}
        cells = [words, str(len(launches))] + [f"{value:,}" for value in total.values()]
        says.rows("| " + " | ".join(cells) + " |")
    says.says("2^16 ints in blocks of 256, 32 blocks, whole calls, on the simulator, the model answer.")
    assert {calls[name][0].grid[0] for name, _ in WAYS} == {32}
    threads, blocks, lock, _ = (calls[name][0] for name, _ in WAYS)
    assert (threads.atomics, blocks.atomics, lock.atomics) == (256, 32, 64)
    says.says("8 times as many atomics as `sum_by_blocks`")
    # What the lock adds to a block, of which none had to wait.
    more = (lock.warp_instructions - blocks.warp_instructions) / 32
    says.says(f"{more:.0f} instructions a block more than an atomic")


def asked(says):
    says.says(f"at 2^16 elements in blocks of 256: `operator_blocks(n, block)` blocks of `block` threads go through the "
              f"input, here {(1 << 16) // (8 * 256)}, no other grid.")
    says.says(f"`sum_by_threads`: {32 * 8} atomic requests at least")
    says.says(f"`sum_by_blocks`: {32} atomics, no more and no fewer")
    says.says(f"`sum_by_lock`: {32} stores at least, one a block, and {2 * 32} at most, if a store releases the lock, too; "
              f"and {32} atomics at least")
    for element, value, bound in ((4, 4, 8336), (4, 16, 8336), (8, 24, 16528)):
        assert (1 << 16) * element // 32 + 32 * (value // 32 + 4) + 16 == bound
    elements = [(1 << 16) * element // 32 for element in (4, 8)]
    assert {bound - least for bound, least in zip((8336, 16528), elements)} == {144}
    says.says(f"All launches together load 8,336 sectors at most, of doubles 16,528: {elements[0]:,} or {elements[1]:,} "
              "for the elements, each once, and 144 for partial results.")


def picture(says):
    figure = pathlib.Path(__file__).resolve().parents[1] / "figures" / "09-ways.svg"
    numbers = [tuple(map(int, pair)) for pair in re.findall(r">(\d+), (\d+) by one lane<", figure.read_text("utf-8"))]
    assert len(numbers) == 4 and numbers[0][1] == 0 and max(numbers, key=lambda pair: pair[1]) == numbers[2]
    says.says(f"{numbers[2][1]} of its {numbers[2][0]} instructions are those of a single lane")


def facts(says, simulator, measured, grader):
    picture(says)
    worked(says, simulator)
    floats(says)
    bounds(says)
    counters(says, simulator)
    asked(says)
    says.says(grader.says("solutions/09-operators-and-locks/skeleton/operators.cu", "example.partials_add_up"))
    says.says(grader.says_with("solutions/09-operators-and-locks/operators.cu", "safety.lock_has_no_race",
                               "    __threadfence(); // what was stored until here, is there before the lock is free\n",
                               ""))
