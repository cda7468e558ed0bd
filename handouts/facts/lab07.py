"""What lab 07's handout says in numbers."""

FUNCTIONS = ("sum_neighboured", "sum_packed", "sum_interleaved")
LOOP = {"sum_neighboured": "if (t % (2 * stride) == 0", "sum_packed": "if (index + stride < words)",
        "sum_interleaved": "if (t + stride < words)"}
ADDITION = {"sum_neighboured": "part[t] += part[t + stride]",
            "sum_packed": "part[index] += part[index + stride]",
            "sum_interleaved": "part[t] += part[t + stride]"}


def words(name, block):
    """Of each step, the word in which each thread adds; None for one that rests."""
    strides = [1 << step for step in range(block.bit_length() - 1)]
    if name == "sum_neighboured":
        return [[t if t % (2 * s) == 0 else None for t in range(block)] for s in strides]
    if name == "sum_packed":
        return [[2 * s * t if 2 * s * t < block else None for t in range(block)] for s in strides]
    return [[t if t < s else None for t in range(block)] for s in reversed(strides)]


def touched(step):
    """Warps that add in a step, and the sectors of one of their accesses."""
    warps = [{word // 8 for word in step[first:first + 32] if word is not None}
             for first in range(0, len(step), 32)]
    return sum(map(bool, warps)), sum(map(len, warps))


def counted(number, noun):
    return f"{number} {noun}" + "s" * (number != 1)


def worked(says, launches):
    steps = [[touched(step) for step in words(name, 512)] for name in FUNCTIONS]
    for number, of_all in enumerate(zip(*steps), 1):
        says.rows(f"| {number} | " + " | ".join(
            f"{counted(warps, 'warp')}, {counted(sectors, 'sector')}" for warps, sectors in of_all) + " |")
    totals = [[sum(column) for column in zip(*of_one)] for of_one in steps]
    says.rows("| in all | " + " | ".join(f"**{warps}** warps, **{sectors}** sectors"
                                         for warps, sectors in totals) + " |")
    for name, launch, (warps, sectors) in zip(FUNCTIONS, launches, totals):
        addition = launch.at(ADDITION[name])
        assert addition.global_stores == warps and addition.global_loads == 2 * warps
        assert addition.global_store_sectors == sectors
        assert addition.global_load_sectors == 2 * sectors
    says.says(f"With W = 16: 4 · 15 + 6 = {4 * 15 + 6}.")
    says.says(f"3 · 4 W + (4 W − 1) = 16 W − 1, which is {16 * 16 - 1}.")


def handful(says):
    """The table of eight ints, and what is left of them."""
    data = [3, 1, -4, 1, -5, 9, 2, -6]

    def row(what, changed=()):
        cells = [f"**{word}**" if t in changed else str(word) for t, word in enumerate(data)]
        says.rows(f"| {what} | {' | '.join(cells)} |".replace("-", "−"))
    row("before")
    for stride in (1, 2, 4):
        adding = range(0, 8, 2 * stride)
        for t in adding:
            data[t] += data[t + stride]
        row(f"stride {stride}", adding)
    says.says(f"The sum is {data[0]}. The eight words that are left add up to {sum(data)}:"
              .replace("-", "−"))


def asked(says):
    """The bounds of the technique tests, from what the handout derives."""
    says.says(f"{6 * 8 - 1} divergent branches at the `if` in a block of 256, {6 * 16 - 1} in one of 512, at "
              f"least")
    says.says(f"5 divergent branches at most, and at least {16 * 8 - 1} sectors loaded in a block of 256, "
              f"{16 * 16 - 1} in one of 512")
    says.says(f"`sum_interleaved` in a block of 512: 5 divergent branches, {2 * 20 + 1} requests to load, "
              f"{2 * 66 + 1} sectors loaded and {66 + 1} stored, {9 + 1} barriers of a warp, each at most")
    says.says("`sum_packed`: 5 divergent branches at most")


def counters(says, launches, halving):
    def row(what, values, digits=0):
        says.rows(f"| {what} | " + " | ".join(f"{value:,.{digits}f}" for value in values) + " |")

    branches = [launch.at(LOOP[name]).divergent_branches for name, launch in zip(FUNCTIONS, launches)]
    all_four = [*launches, halving]
    per_load = [launch.global_load_sectors / launch.global_loads for launch in all_four]
    says.says("Full blocks of 512, on the simulator, the model answers.")
    row("divergent branches at the `if` in the loop",
        [*branches, halving.at("if (t + stride < width)").divergent_branches])
    row("requests to load, global memory", [launch.global_loads for launch in all_four])
    row("sectors loaded", [launch.global_load_sectors for launch in all_four])
    row("sectors a load", per_load, 1)
    row("sectors stored", [launch.global_store_sectors for launch in all_four])
    row("barriers of a warp", [launch.barriers / 16 for launch in all_four])
    row("warp instructions, a warp", [launch.warp_instructions / 16 for launch in all_four])
    says.says(f"but each of them asks for {per_load[1]:.1f} sectors.")


def facts(says, simulator, measured, grader):
    del measured
    one_block = [simulator.sums("07", name, 512, 512)[0] for name in FUNCTIONS]
    halving, = simulator.sums("02", "sum_halving", 512, 512)
    handful(says)
    worked(says, one_block)
    counters(says, one_block, halving)
    asked(says)
    branches = []
    for name in FUNCTIONS:
        launch = simulator.sums("07", name, 1 << 20, 512)[0]
        branches.append(launch.at(LOOP[name]).divergent_branches)
    assert branches[1] == branches[2]
    says.says(f"With 2^20 ints that are {launch.grid[0]:,} blocks: {branches[0]:,} divergent branches at the "
              f"`if` for the first version, {branches[1]:,} for the two others.")
    # As published, see "Sources"; and as measured once with kernels of the same three orders.
    says.says("on a Fermi: 295.6 instructions a warp for the first "
              "and 115.3 for the second; the second was 1.26 times as fast as the first, the third 1.69 "
              "times.")
    says.says("On an H200 the first two were 343 and 116 instructions a warp; 2.0 and 2.4 times as fast.")
    says.says(grader.says("solutions/07-global-memory-reduction/skeleton/global_sum.cu",
                          "example.neighboured_sums_a_handful"))
