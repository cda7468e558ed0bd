"""What lab 02's handout says in numbers."""

import math

LOOP = {"sum_divergent": "if (t % (2 * stride) == 0", "sum_strided": "if (index + stride <",
        "sum_halving": "if (t + stride < width)"}
ADDITION = {"sum_divergent": "tile[t] += tile[t + stride]",
            "sum_strided": "tile[index] += tile[index + stride]",
            "sum_halving": "tile[t] += tile[t + stride]"}


def worked(says, strided):
    too_many = 0
    for s in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        adding = 512 // (2 * s)
        warps = (adding + 31) // 32
        banks = [2 * s * lane % 32 for lane in range(min(adding, 32))]
        passes = max(map(banks.count, banks))
        too_many += warps * (passes - 1)
        says.rows(f"| {s} | {adding} | {warps} | {2 * s if adding > 1 else ''} | {passes} | "
                  f"{warps * (passes - 1)} |".replace("|  |", "| |"))
    says.rows(f"| in all | 511 | 20 | | | {too_many} |")
    assert strided.bank_conflicts == 3 * too_many
    says.says(f"3 · {too_many} = **{strided.bank_conflicts}** passes too many, where 3 · 20 = 60 "
              f"would do.")


def halving(says):
    """The table of a block of 1,024: threads t < stride add."""
    for s in (512, 256, 128, 64, 32):
        says.rows(f"| {s} | {s} | {s // 32} | 0 |")
    says.rows(f"| 16, 8, 4, 2, 1 | {16 + 8 + 4 + 2 + 1} in all | 1 each | 1 each |")
    words, adding = [48], []
    while words[-1] > 1:
        adding.append(words[-1] // 2)
        words.append((words[-1] + 1) // 2)
    says.says(f"Its words: {', '.join(map(str, words))}. Threads that add: "
              f"{', '.join(map(str, adding))}.")


def asked(says):
    """The bounds of the technique tests, from what the handout derives."""
    trips = 16 + 8 + 4 + 2 + 1 + 5  # strides 512 to 32, then one warp
    says.says(f"in a block of {1024:,}: {trips} trips through an addition, {2 * trips + 1} loads from "
              f"shared memory (two a trip, one for the result) and {int(math.log2(1024)) + 2} barriers of "
              f"a warp, each at most")
    says.says(f"no shuffles but in the last warp, {int(math.log2(32))} at most")
    says.says(f"{int(math.log2(32))} divergent branches at the `if`, 6 in a block of 48, no bank conflict; "
              f"fewer instructions than lab 01's 162 a warp")
    says.says(f"`sum_strided`: {int(math.log2(32))} divergent branches at the `if` at most, and 75 bank conflicts "
              f"at least in a block of {512}")
    says.says(f"The ints have all {32} bits in use")


def facts(says, simulator, measured, grader):
    asked(says)
    def block(name, n):
        launch, = simulator.sums("01" if name == "sum_divergent" else "02", name, n, n)
        loads = launch.at(ADDITION[name]).shared_loads
        return launch, launch.at(LOOP[name]).divergent_branches, loads // 2

    runs = [block(name, 512) for name in ("sum_divergent", "sum_strided", "sum_halving")]
    launches = [run[0] for run in runs]
    worked(says, launches[1])
    halving(says)
    _, parted, trips = block("sum_halving", 1024)
    _, old_parted, old_trips = block("sum_divergent", 1024)
    says.rows(f"| in all | 1,023 | **{trips}** | **{parted}** |")
    says.says(f"6 W − 1 = {old_trips} warps go through the addition, and {old_parted} diverge.")
    _, parted_48, _ = block("sum_halving", 48)
    says.says(f"it diverges {parted_48} times.")

    def row(what, values):
        says.rows(f"| {what} | " + " | ".join(f"{value:,.0f}" for value in values) + " |")

    says.says("Full blocks of 512, on the simulator.")
    row("divergent branches at the `if` in the loop", [run[1] for run in runs])
    row("warps that go through an addition", [run[2] for run in runs])
    for what, name in (("shared-memory loads", "shared_loads"),
                       ("shared-memory stores", "shared_stores"),
                       ("bank conflicts", "bank_conflicts"), ("barriers, one a warp", "barriers"),
                       ("warp instructions", "warp_instructions"),
                       ("global load sectors", "global_load_sectors")):
        row(what, [getattr(launch, name) for launch in launches])
    row("warp instructions, a warp", [launch.warp_instructions / 16 for launch in launches])
    says.says(f"The tree in a block of 512 needs {runs[2][2]} trips through the addition instead of "
              f"{runs[0][2]}.")
    says.says(f"compares, and waits at the barrier, {launches[2].barriers} times a block.")

    chip = {row["function"]: row["instructions_a_warp"]
            for row in measured.table("instructions.csv")}
    says.says(f"Nsight Compute on an H200 counts {chip['sum_divergent']} instructions a warp for lab "
              f"01, {chip['sum_strided']} for the version between and {chip['sum_halving']} for the "
              f"halving stride, and no divergent branch for any of them")
    says.rows("| version | ms | GB/s | of the copy |")
    for what, lab, test in (("lab 01", "01", "at_2_28"), ("between", "02", "strided_at_2_28"),
                            ("halving", "02", "at_2_28")):
        speed = measured.speed(lab, test)
        says.rows(f"| {what} | {speed['median_ms']} | {speed['rate']} | {speed['share'][:-1]} % |")
    says.says("**In time**, on the same H200, 2^28 ints in blocks of 512:")
    says.says("Harris measured the three versions on 2^22 ints on a G80 in 2007: 8.054, 3.456 and "
              "1.722 ms.")
    barrier = grader.says("solutions/02-less-divergent-reduction/mistakes/return_in_loop.cu",
                          "safety.has_no_race")
    says.says(barrier.split("): ", 1)[1])
