"""What lab 01's handout says in numbers."""

import math


def worked(says):
    """The table of a block of 512: warp w's lanes that add are the t with t % 2s == 0."""
    parted = 0
    for s in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        adding = [t for t in range(512) if t % (2 * s) == 0 and t + s < 512]
        busy = len({t // 32 for t in adding})
        parted += busy
        says.rows(f"| {s} | {len(adding)} | {2 * s} | {busy} | {16 - busy} |")
    says.rows(f"| in all | 511 | | **{parted}** | |")


def asked(says):
    """The bounds of the technique tests, from what the handout derives."""
    says.says(f"{1024 * 4:,} bytes of shared memory a block at most")
    says.says(f"{1 + int(math.log2(512))} barriers of a warp at most in a block of {512}")
    says.says(f"The ints have all {32} bits in use")


def facts(says, simulator, measured, grader):
    asked(says)
    says.says(f"2^22 ints took 8.054 ms on a G80, {2 ** 22 * 4 / 8.054e-3 / 1e9:.2f} GB/s.")
    worked(says)
    one, = simulator.sums("01", "sum_divergent", 512, 512)
    many, *rest = simulator.sums("01", "sum_divergent", 1 << 20, 512)
    loop, last, blocks = "if (t % (2 * stride) == 0", "if (t == 0)", (1 << 20) // 512

    assert one.warps == 16 and len(rest) == 2
    small, = simulator.sums("01", "sum_divergent", 32, 32)
    says.says(f"For W = 16 that is {one.at(loop).divergent_branches}; for a block of 32, which is "
              f"one warp, {small.at(loop).divergent_branches}.")
    says.says(f"**Barriers**: one after the load, one in each of the log2 512 = 9 steps: "
              f"{one.barriers // 16} for each warp.")
    says.says(f"A block of 512 has {one.global_loads} requests and {one.global_load_sectors} "
              f"sectors to load, and stores a single int: one request, one sector. A million ints "
              f"(2^20) are {blocks:,} blocks: {many.global_loads:,} requests, "
              f"{many.global_load_sectors:,} sectors, {many.global_stores:,} stores.")
    launches = simulator.sums("01", "sum_divergent", 1000000, 512)
    stores = [launch.global_stores for launch in launches]
    says.says(f"{stores[0]:,} partial sums, then {stores[1]}, then {stores[2]}. Three launches")
    half, = simulator.sums("01", "sum_divergent", 48, 48)
    assert half.at(loop).divergent_branches == 10
    says.says("(Ten times, one less than 6 · 2 − 1.")

    says.rows(f"""
| counter | a block | all {blocks:,} blocks | why |
| divergent branches at the `if` in the loop | {one.at(loop).divergent_branches} | {many.at(loop).divergent_branches:,} | 6 W − 1 |
| divergent branches at `if (t == 0)` | {one.at(last).divergent_branches} | {many.at(last).divergent_branches:,} | thread 0's warp alone |
| barriers, one a warp | {one.barriers} | {many.barriers:,} | 16 warps · {one.barriers // 16} |
| global load requests | {one.global_loads} | {many.global_loads:,} | one a warp |
| global load sectors | {one.global_load_sectors} | {many.global_load_sectors:,} | 2,048 bytes / 32 |
| global store sectors | {one.global_store_sectors} | {many.global_store_sectors:,} | one partial sum |
| shared-memory loads | {one.shared_loads} | {many.shared_loads:,} | two for each warp that adds, one for the result |
| shared-memory stores | {one.shared_stores} | {many.shared_stores:,} | 16 to fill the tile, {one.shared_stores - 16} sums |
| bank conflicts | {one.bank_conflicts} | {many.bank_conflicts:,} | words within 32 neighbours |
""")
    says.says("The model answer, first launch on 2^20 ints in blocks of 512, on the simulator:")

    chip = {row["function"]: row for row in measured.table("instructions.csv")}
    divergent = {row["divergent_branches"] for row in chip.values()}
    slow, between, fast = (chip[name]["instructions_a_warp"]
                           for name in ("sum_divergent", "sum_strided", "sum_halving"))
    assert len(divergent) == 1
    says.says(f"Nsight Compute on an H200 counts {divergent.pop()}.")
    says.says(f"{slow} instructions for each warp, against {between} for a version whose first "
              f"threads add (words 2s apart, with bank conflicts) and {fast} for the version with "
              f"halving strides.")
    says.says(f"A part of the {slow} is the remainder")
    mine, best = measured.speed("01", "at_2_28"), measured.speed("03", "at_2_28")
    says.says(f"{mine['rate']} GB/s at 2^28 ints, where a copy moves {mine['limit']} GB/s and lab "
              f"03's sum reads {best['rate']}. That is {float(mine['share'].rstrip(' %')):.0f} % of the copy.")
    race = grader.says("solutions/01-divergent-reduction/mistakes/no_barrier_after_load.cu",
                       "safety.has_no_race")
    says.says(race.split("): ", 1)[1])
    says.says(grader.says("solutions/01-divergent-reduction/skeleton/sum_divergent.cu", "example"))
