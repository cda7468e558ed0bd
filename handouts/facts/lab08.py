"""What lab 08's handout says in numbers. As soon as ../measured has the model answer's times at 2^22 ints,
the handout has to show them, too: on_a_gpu."""

RUNGS = (("sum_divergent", "interleaved, divergence"), ("sum_strided", "interleaved, conflicts"),
         ("sum_sequential", "sequential"), ("sum_first_add", "first add during load"),
         ("sum_last_warp", "last warp unrolled"), ("sum_unrolled", "completely unrolled"),
         ("sum_many", "many ints a thread"))
N = 1 << 20
# As published, see "Sources": milliseconds at 2^22 ints on a G80, in blocks of 128.
PUBLISHED = (8.054, 3.456, 1.722, 0.965, 0.536, 0.381, 0.268)


def conflicts(stride, block):
    """Warps that add in a step of sum_strided, lanes that want one bank, and passes too many."""
    adding = [2 * stride * t for t in range(block) if 2 * stride * t < block]
    warps = [[word % 32 for word in adding[first:first + 32]] for first in range(0, len(adding), 32)]
    passes = [max(map(banks.count, banks)) for banks in warps]
    return len(warps), max(passes), sum(passes) - len(warps)


def worked(says, one_block):
    total = 0
    for stride in (1, 2, 4, 8, 16, 32, 64):
        warps, passes, more = conflicts(stride, 128)
        total += more
        says.rows(f"| {stride} | {128 // (2 * stride)} | {warps} | {passes} | {more} |")
    says.says(f"{total} passes too many for each access, {3 * total} for an addition's three.")
    assert one_block["sum_strided"].bank_conflicts == 3 * total
    diverging = one_block["sum_divergent"].at("if (t % (2 * stride) == 0)").divergent_branches
    says.says(f"4 warps at each of strides 1 to 16, then 2 and 1: {diverging} times.")
    assert diverging == 6 * 4 - 1
    for name, words, barriers in (("sum_first_add", "Rung 4", 8), ("sum_last_warp", "rung 5", 2)):
        assert one_block[name].barriers == 4 * barriers
    says.says("Rung 4 has 8 barriers: one behind the load and one in each of 7 steps. In rung 5 the loop has one "
              "step left, of stride 64: 2 barriers.")
    says.says(f"{N} ints".replace("1048576", "1,048,576") + f" in blocks of 128 are {N // 128:,} blocks, or with two "
              f"ints a thread {N // 256:,}.")


def brent(says):
    ints, steps = 1024, 10
    says.says(f"A tree with {ints:,} threads has {steps} steps: {ints * steps:,} turns for {ints - 1:,} additions.")
    says.says("128 threads first add 8 ints each, 7 additions one after the other: "
              f"{128 * 7} turns. Then 7 steps of 128 threads, another {128 * 7}: {2 * 128 * 7:,} turns in all, in "
              f"{7 + 7} steps instead of {steps}.")
    assert 2 * 128 * 7 < 2 * ints


def picture(says, one_block, many):
    """What the figure's two descriptions say of lane slots an int, in a block of 128."""
    slots = [32 * one_block[name].warp_instructions / (256 if i > 2 else 128)
             for i, (name, _) in enumerate(RUNGS[:-1])]
    slots.append(32 * many.warp_instructions / 1024)
    assert slots == sorted(slots, reverse=True)
    says.says("each box is shorter than the one before")
    assert 0.5 < slots[3] / slots[2] < 0.6 and round(slots[-1] / slots[0], 1) == 0.1
    says.says("the seventh has a tenth of the first one's length")


def counters(says, calls):
    before = first = None
    for name, words in RUNGS:
        launch = calls[name][0]
        cost = sum(one.warp_instructions for one in calls[name])
        warps = launch.grid[0] * launch.warps
        step, in_all = (f"{before / cost:.2f}", f"{first / cost:.2f}") if first else ("", "")
        cells = [words, f"{launch.grid[0]:,}", f"{launch.barriers / warps:.0f}",
                 f"{launch.divergent_branches / launch.grid[0]:.0f}",
                 f"{launch.bank_conflicts / launch.grid[0]:.0f}", f"{cost:,}", step, in_all]
        says.rows("| " + " | ".join(cells).replace(" |  |", " | |") + " |")
        before, first = cost, first or cost


def growth(says, simulator):
    """Turns an int, by the block's size: of one tree, and of a tree behind many additions."""
    blocks = (64, 128, 256, 512, 1024)
    turns = {}
    says.rows("| block | " + " | ".join(f"{block:,}" for block in blocks) + " |")
    says.says("at 2^20 ints, by the size of the block, which is the size of the tree")
    for name, words in (("sum_sequential", "one int a thread"), ("sum_many", "16 ints a thread")):
        calls = [simulator.sums("08", name, N, block) for block in blocks]
        turns[name] = [32 * sum(launch.barriers for launch in call) / N for call in calls]
        says.rows(f"| {words} | " + " | ".join(f"{turn:.2f}" for turn in turns[name]) + " |")
    tree, many = turns.values()
    says.says(f"From 64 to 1,024 threads the first row grows by {tree[-1] - tree[0]:.1f}, about one for each of 4 "
              f"doublings: that is the log N of its cost. In the second, 16 ints share a tree: it grows by "
              f"{many[-1] - many[0]:.2f}.")


def published(says):
    for i, (ms, (_, words)) in enumerate(zip(PUBLISHED, RUNGS)):
        cells = [f"{i + 1} {words}", f"{ms:.3f}", f"{(1 << 22) * 4 / ms * 1e-6:.2f}"]
        cells += [f"{PUBLISHED[i - 1] / ms:.2f}", f"{PUBLISHED[0] / ms:.2f}"] if i else ["", ""]
        says.rows("| " + " | ".join(cells).replace(" |  |", " | |") + " |")
    says.says("**As published**, 2^22 ints in blocks of 128, on a G80")
    says.says("(published, from times that were not rounded: 30.04 times in all, 62.7 GB/s at the end)")
    says.says("the algorithm gave 11.84 times, unrolling 2.54 times")


def on_a_gpu(says, measured):
    """The same of the model answer, as soon as handouts/measured/ has it."""
    tests = [name.removeprefix("sum_") + "_at_2_22" for name, _ in RUNGS]
    if ("08", "speed." + tests[0]) not in measured.speeds:
        return
    speeds = [measured.speed("08", test) for test in tests]
    times = [float(speed["median_ms"]) for speed in speeds]
    for i, (speed, (_, words)) in enumerate(zip(speeds, RUNGS)):
        cells = [f"{i + 1} {words}, H200", speed["median_ms"], speed["rate"]]
        cells += [f"{times[i - 1] / times[i]:.2f}", f"{times[0] / times[i]:.2f}"] if i else ["", ""]
        says.rows("| " + " | ".join(cells).replace(" |  |", " | |") + " |")
    says.says(f"**Today**, 2^22 ints in blocks of {speeds[0]['block']}, the model answer")
    large = measured.speed("08", "many_at_2_28")
    microseconds = 4 * 2**22 / float(large["limit"].replace(",", "")) / 1e3
    says.says(f"At 2^28 ints rung 7 reads {large['rate']} GB/s, {large['share'][:-1]} % of the copy's "
              f"{large['limit']} GB/s. At the copy's rate, 2^22 ints take {microseconds:.1f} microseconds")


def asked(says):
    """The bounds of the technique tests, from what labs 01 and 02 and this handout derive."""
    says.says("at 2^20 ints in blocks of 512: blocks of `block` threads, no other")
    says.says("no shuffles in rungs 1 to 4, 5 shuffles a block at most in rungs 5 and 6")
    says.says(f"Rung 1, `sum_divergent`: {6 * 16 - 1} divergent branches at the `if` in a block of 512, at least")
    says.says(f"Rung 2, `sum_strided`: 5 divergent branches at any one line at most, and {sum(conflicts(1 << i, 512)[2] for i in range(9))} bank conflicts in a "
              f"block of 512, at least")
    says.says(f"From rung 3 to rung 6: 5 divergent branches at any one line of a block at most, no bank conflicts, "
              f"and {9 + 2} barriers of a warp at most")
    says.says(f"From rung 4 to rung 6: half as many blocks, {N // 1024:,} at 2^20 ints.")
    says.says(f"Rungs 5 and 6: {9 - 4} barriers of a warp at most.")
    says.says(f"Rung 6: {9 - 1} branches of a warp at most")
    says.says(f"Rung 7: {N // (8 * 512)} blocks at most and 64 at least")
    says.says("What it loads and stores counts in blocks of 1,024, too.")


def facts(says, simulator, measured, grader):
    one_block = {name: simulator.sums("08", name, 256 if i > 2 else 128, 128)[0]
                 for i, (name, _) in enumerate(RUNGS)}
    calls = {name: simulator.sums("08", name, N, 512) for name, _ in RUNGS}
    picture(says, one_block, simulator.sums("08", "sum_many", 1024, 128)[0])
    worked(says, one_block)
    brent(says)
    says.says("2^20 ints in blocks of 512, whole calls, on the simulator, the model answer.")
    counters(says, calls)
    growth(says, simulator)
    published(says)
    on_a_gpu(says, measured)
    asked(says)
    says.says(grader.says("solutions/08-the-ladder/skeleton/ladder.cu", "example.divergent_adds_up"))
    says.says(grader.says("solutions/08-the-ladder/mistakes/volatile_last_warp.cu",
                          "safety.last_warp_has_no_race"))
