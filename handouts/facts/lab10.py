"""What lab 10's handout says in numbers."""

import math
import pathlib

LANES = 32
COUNTERS = ("warp_instructions", "barriers", "shuffles", "shared_loads", "shared_stores")


def steps(n):
    """Additions of a scan by doubled distances of n values."""
    return sum(n - (1 << k) for k in range(math.ceil(math.log2(n))))


def additions(threads):
    """Of a block: lab 04's way, and by warps. The first warp scans 32 values, whatever the block has."""
    warps = threads // LANES
    return steps(threads), warps * steps(LANES) + steps(LANES) + threads


def scanned(numbers):
    return [sum(numbers[:i + 1]) for i in range(len(numbers))]


def words(numbers):
    return ", ".join(str(number).replace("-", "−") for number in numbers)


def by_hand(says):
    numbers = [3, 1, -4, 1, -5, 9, 2, -6, 5, 3, -5, 8, 9, -7, 9, 3]
    warps = [numbers[i:i + 4] for i in range(0, 16, 4)]
    totals = [sum(warp) for warp in warps]
    before = [sum(totals[:i]) for i in range(4)]
    for name, rows in (("holds", warps), ("scans", [scanned(warp) for warp in warps]),
                       ("total", [[total] for total in totals]), ("before", [[b] for b in before]),
                       ("in all", [[b + s for s in scanned(w)] for b, w in zip(before, warps)])):
        says.rows(f"| {name} | " + " | ".join(words(row) for row in rows) + " |")
    assert [x for b, w in zip(before, warps) for x in [b + s for s in scanned(w)]] == scanned(numbers)


def work(says):
    assert steps(LANES) == LANES * 5 - 31
    says.says(f"32 · 5 − 31 = {steps(LANES)} additions")
    for threads in (64, 128, 256, 512, 1024):
        of_04, of_10 = additions(threads)
        says.rows(f"| {threads:,} | {threads - 1:,} | {of_04:,} | {of_10:,} | {of_04 / threads:.1f} | "
                  f"{of_10 / threads:.1f} |")
    says.says(f"129 / 32 + 1 = {129 / 32 + 1:.2f} for each number, and {steps(LANES)} for the totals")


def block(says, launch):
    """The worked table of a block of 512 threads, 16 warps, one int a thread."""
    warps = 512 // LANES
    assert (launch.shuffles, launch.barriers) == (warps * 5 + 5, 2 * warps)
    assert (launch.shared_stores, launch.shared_loads) == (warps + 1, 1 + warps)
    says.rows(f"""
| each warp scans | {warps} · 5 = {5 * warps} | 0 | 0 |
| lane 31 of each warp stores the total | 0 | {warps} | 0 |
| first barrier | 0 | 0 | 1 |
| warp 0 loads, scans, stores | 5 | 1 + 1 | 0 |
| second barrier | 0 | 0 | 1 |
| each thread adds its warp's word | 0 | {warps} | 0 |
| in all | **{launch.shuffles}** | **{launch.shared_loads + launch.shared_stores}** | **2** |
""")


def beside_04(says, simulator):
    """A block of 512, in the phase that scans tiles."""
    says.says("The phase that scans tiles, a block of 512, on the simulator. The answers with four ints a thread are "
              "the labs' model answers.")
    columns = [simulator.sums(name, "scan_inclusive", n, 512)[0]
               for name, n in (("one_int", 512), ("ten_one_int", 512), ("04", 2048), ("10", 2048))]

    def row(what, values):
        says.rows(f"| {what} | " + " | ".join(values) + " |")

    row("ints scanned", ["512", "512", "2,048", "2,048"])
    row("warp instructions, a warp", [f"{c.warp_instructions / 16:.1f}" for c in columns])
    row("barriers of a warp", [f"{c.barriers // 16}" for c in columns])
    row("shuffles", [f"{c.shuffles}" for c in columns])
    row("shared-memory loads", [f"{c.shared_loads}" for c in columns])
    row("shared-memory stores", [f"{c.shared_stores}" for c in columns])
    row("shared wavefronts", [f"{c.shared_load_wavefronts + c.shared_store_wavefronts}" for c in columns])
    row("divergent branches", [f"{c.divergent_branches}" for c in columns])
    row("bytes of shared memory", ["2,048", "128", "2,048", "128"])


def by_block(says, simulator):
    """Warp instructions for 32 ints, one int a thread, by the size of the block."""
    sizes = (64, 128, 256, 512, 1024)
    rates = {}
    for name in ("one_int", "ten_one_int"):
        launches = [simulator.sums(name, "scan_inclusive", size, size)[0] for size in sizes]
        rates[name] = [launch.warp_instructions / (size / LANES) for launch, size in zip(launches, sizes)]
    says.says("Warp instructions for 32 ints, one int a thread, by the size of the block:")
    says.rows("| threads | " + " | ".join(f"{size:,}" for size in sizes) + " |")
    says.rows("| lab 04 | " + " | ".join(f"{rate:.1f}" for rate in rates["one_int"]) + " |")
    says.rows("| lab 10 | " + " | ".join(f"{rate:.1f}" for rate in rates["ten_one_int"]) + " |")
    grows = [rate[-1] - rate[0] for rate in rates.values()]
    says.says(f"From 64 to 1,024 threads lab 04's row grows by {grows[0]:.1f}, and lab 10's falls by {-grows[1]:.1f}")
    assert grows[1] < 0 < grows[0]


def calls(says, simulator):
    """Whole calls of 2^18 ints in blocks of 256."""
    for name, title in (("one_int", "lab 04, one int a thread"), ("ten_one_int", "lab 10, one int a thread"),
                        ("04", "lab 04, four"), ("10", "lab 10, four")):
        launches = simulator.sums(name, "scan_inclusive", 1 << 18, 256)
        total = {what: sum(getattr(launch, what) for launch in launches) for what in COUNTERS}
        sectors = sum(launch.global_load_sectors + launch.global_store_sectors for launch in launches)
        cells = [title, str(len(launches))] + [f"{value:,}" for value in total.values()] + [f"{sectors:,}"]
        says.rows("| " + " | ".join(cells) + " |")
        if name == "10":
            assert total["shuffles"] == 257 * 45
    says.says("2^18 ints in blocks of 256, whole calls")


def asked(says):
    warps = 512 // LANES
    speeds = (pathlib.Path(__file__).resolve().parents[2] /
              "labs/10-warp-shuffle-scan/tests/test_speed.c").read_text("utf-8")
    assert "<< 28, 128)" in speeds and "<< 28, 1024)" in speeds
    says.says("in blocks of 128 and of 1,024")
    says.says("`scan_warps`: 5 or 6 shuffles a warp; no load or store")
    steps_of_totals = math.ceil(math.log2(warps))
    least, most, accesses = 5 * warps + steps_of_totals, 11 * warps + 6, 4 * warps + 8
    worked = (5 * warps + 5, 2 * warps + 2)
    says.says(f"In a block of 512: from {least} to {most} shuffles, {accesses} loads and stores of shared memory at "
              "most, and 512 bytes of it at most.")
    says.says("one block for each `block` ints; 2 barriers of a warp at most; no atomic")
    says.says(f"A warp has 32 lanes, so 5 steps. A block of 512 has {warps} warps. The worked table has {worked[0]} "
              f"shuffles and {worked[1]} loads and stores.")
    assert (5 * warps + 4, warps * (5 + 5 + 1) + 6, 2 * worked[1] + 4, 4 * 32 * 4) == (least, most, accesses, 512)
    one, two, four = ((1 << 18) // (256 * k) * 45 for k in (1, 2, 4))
    totals = 45  # of one block more, or a few
    says.rows(f"""
| 6 shuffles of a warp | 5 steps, and one shuffle that shifts the values by a lane, for exclusive sums |
| {least} shuffles at least | {warps} · 5 = {5 * warps} for the warps, and {steps_of_totals} steps for {warps} totals: d = 1, 2, 4, 8 |
| {most} shuffles at most | each warp may scan the totals for itself, and shift once: {warps} · (5 + 5 + 1) = {11 * warps}; and 6 for a first warp that scans them, too |
| {accesses} loads and stores | twice the worked table's, and 4 more: 2 · {worked[1]} + 4 |
| 512 bytes | four arrays of 32 totals of 4 bytes: 4 · {32 * 4} |
| 24,000 shuffles | four ints a thread take {four + totals:,} and two take {two + totals:,}, but one takes 46,305 |
""")
    assert four < two + totals < 24000 < one
    says.says("24,000 shuffles of all launches at most, of 2^18 ints in blocks of 256")


def speed(says, measured):
    says.says("On an H200, four ints a thread:")
    for test in ("at_2_22", "at_2_24", "at_2_28", "large_blocks_at_2_28"):
        row = measured.speed("10", test)
        m = test[-2:]
        before = "–" if "large" in test else measured.speed("04", test)["share"][:-1] + " %"
        says.rows(f"| 2^{m} | {row['block'].replace('1024', '1,024')} | {row['rate']} | {row['limit']} | {row['share'][:-1]} % | {before} |")
        assert float(row["share"][:-1]) <= 52  # or the handout's one half is wrong
    cub, = (float(row["gbps"]) for row in measured.table("ladder.csv")
            if row["lab"] == "CUB scan" and int(row["n"]) == 1 << 28)
    says.says(f"CUB's `DeviceScan` moves each int twice instead of four times. On 2^28 ints it reaches {cub:,.0f} GB/s")


def facts(says, simulator, measured, grader):
    by_hand(says)
    work(says)
    one, = simulator.sums("ten_one_int", "scan_inclusive", 512, 512)
    block(says, one)
    beside_04(says, simulator)
    by_block(says, simulator)
    calls(says, simulator)
    speed(says, measured)
    asked(says)
    says.says(grader.says("solutions/10-warp-shuffle-scan/skeleton/warp_scan.cu", "example.scans_a_handful"))
    says.says(grader.says("solutions/10-warp-shuffle-scan/mistakes/no_barrier_behind_totals.cu",
                          "safety.blocks_have_no_race"))
