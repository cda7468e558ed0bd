"""What lab 03's handout says in numbers."""

import math
import struct


def in_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def derived(says):
    """What the handout works out: Little's law, roundings, and how whole numbers stay exact."""
    flying = 4.8e12 * 0.8e-6
    says.says(f"4.8 TB/s and about 0.8 µs (an H200) make {flying / 1e6:.1f} MB, "
              f"{flying / 132 / 1e3:.0f} KB on each of 132 multiprocessors (SMs), "
              f"{flying / 132 / 2048:.0f} bytes for each of its 2,048 threads.")
    assert in_float(in_float(2 ** 24 + 1) + 1) == 2 ** 24 and in_float(2 ** 24 + 2) == 2 ** 24 + 2
    says.says("(2^24 + 1) + 1 is 2^24, as 2^24 + 1 has no float of its own; 2^24 + (1 + 1) is 2^24 + 2.")
    exponent = (2 ** 24) ** 2 / (2 * 2 ** 31 * 32 ** 2)
    chance = 2 * math.exp(-exponent)
    power = math.floor(math.log10(chance))
    says.says(f"For a = 32, n = 2^31 and T = 2^24 the exponent is −2^48 / 2^42 = −{exponent:.0f}, and the "
              f"chance {chance / 10 ** power:.0f} · 10^{power}.")
    assert 4096 * 4096 == 2 ** 24
    says.says("up to ±4,096 where n is at most 4,096, and up to ±32 beyond")


def asked(says):
    """The bounds of the technique tests, from what the handout derives."""
    steps = int(math.log2(32))
    says.says(f"in a warp's sum {steps} shuffles")
    says.says(f"in a block's sum {steps} to {2 * steps} shuffles for each of its warps")
    says.says(f"{32 * 4} bytes at most, two barriers at most")
    says.says(f"each sector asked for {32 // 4} times at most")


def facts(says, simulator, measured, grader):
    asked(says)
    derived(says)
    old, = simulator.sums("02", "sum_halving", 512, 512)
    block, = simulator.sums("03", "sum_blocks", 512, 512)
    grid, = simulator.sums("03", "sum_grid", 1 << 20, 512)
    warp, = simulator.sums("03", "sum_warps_all", 512, 512)
    n_blocks, first = grid.atomics, block.at("if (warp == 0)")
    elements = (1 << 20) // n_blocks
    says.says(f"16 a thread: {512 * 16:,} elements a block, {(1 << 20) // (512 * 16)} blocks, "
              f"{(1 << 20) // (512 * 16)} atomics.")
    says.says(f"(the simulator's) gets by with {n_blocks} blocks of {elements:,} elements, and {n_blocks} "
              f"atomics.")
    says.says(f"launch (48 + 31) / 32 · 32 = {(48 + 31) // 32 * 32} threads.")

    stores = block.shared_stores
    says.rows(f"""
| each warp sums its values | 16 · 5 = {16 * 5} | {stores} | 0 |
| barrier | 0 | 0 | {block.barriers // 16} |
| the first warp sums the slots | {block.shuffles - 16 * 5} | 0 | 0 |
| in all | **{block.shuffles}** | **{stores}** | **{block.barriers // 16}** |
""")
    says.says(f"Lab 02's tree in the same block: no shuffle, {old.shared_stores} warps' worth of "
              f"stores, {old.barriers // 16} barriers of a warp.")

    says.says(f"whose device holds {n_blocks} blocks of 512 at once: `sum_grid` sums 2^20 floats by so "
              f"many.")
    says.rows(f"| counter | lab 02, a block | `sum_blocks`, a block | `sum_grid`, a block of "
              f"{elements:,} elements |")
    for what, name in (("shuffles", "shuffles"), ("barriers, one a warp", "barriers"),
                       ("shared-memory loads", "shared_loads"),
                       ("shared-memory stores", "shared_stores"),
                       ("bank conflicts", "bank_conflicts"), ("atomics", "atomics"),
                       ("global load sectors", "global_load_sectors"),
                       ("warp instructions", "warp_instructions")):
        cells = (getattr(old, name), getattr(block, name), getattr(grid, name) / n_blocks)
        says.rows(f"| {what} | " + " | ".join(f"{cell:,.0f}" for cell in cells) + " |")
    a, b = old.warp_instructions / 16, block.warp_instructions / 16
    c = grid.warp_instructions * 32 / (1 << 20)
    says.rows(f"| warp instructions for 32 elements | {a:.0f} | {b:.1f} | {c:.1f} |")
    assert warp.shared_loads + warp.shared_stores + warp.barriers == 0
    says.says("all in blocks of 512.")
    says.says(f"In a warp's sum alone (`sum_warps_all`): {warp.shuffles // 16} shuffles a warp, no "
              f"shared memory, no barrier, no divergent branch, and "
              f"{warp.warp_instructions / 16:.0f} instructions, of which most find the element")
    assert warp.divergent_branches == 0 and first.divergent_branches == 0
    start, = simulator.sums("01", "sum_divergent", 512, 512)
    says.says(f"From {start.warp_instructions / 16:.0f} instructions for 32 numbers in lab 01 to "
              f"{c:.1f}: the additions are the same n − 1.")
    says.says("4 n bytes have to come")

    says.says("On an H200, in blocks of 512, GB/s:")
    says.rows("| n | lab 01 | lab 02 | lab 03 | a copy | lab 03 of the copy |")
    for m in (22, 24, 28):
        speeds = [measured.speed(lab, f"at_2_{m}") for lab in ("01", "02", "03")]
        says.rows(f"| 2^{m} | " + " | ".join(speed["rate"] for speed in speeds) +
                  f" | {speeds[2]['limit']} | {speeds[2]['share'][:-1]} % |")
    assert float(measured.speed("03", "at_2_28")["share"][:-1]) > 100
    says.says("At 2^28 the sum reads faster than the copy moves.")
    absent = grader.says_with("solutions/03-warp-shuffle-sum/shuffle_sum.cu", "safety.asks_no_lane_that_is_absent",
                              "    float sum = warp_sum_all(i < n ? in[i] : 0);\n    if (i < n)\n        out[i] = sum;\n",
                              "    if (i >= n)\n        return;\n    out[i] = warp_sum_all(in[i]);\n")
    says.says(absent.split("): ", 1)[1])
