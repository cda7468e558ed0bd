"""What lab 04's handout says in numbers."""

import math


def worked(says):
    """The table of a block of 512: threads from d on add; a warp parts where some of its do."""
    added = parted = reading = 0
    for d in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        adding = [[t >= d for t in range(w * 32, w * 32 + 32)] for w in range(16)]
        n = sum(map(sum, adding))
        diverge = sum(any(warp) and not all(warp) for warp in adding)
        reads = sum(map(any, adding))
        added, parted, reading = added + n, parted + diverge, reading + reads
        says.rows(f"| {d} | {n} | {diverge} | {reads} |")
    says.rows(f"| in all | {added:,} | **{parted}** | **{reading}** |")
    return parted, reading


def counted(says, one, four):
    says.says("Phase 1, blocks of 512, on the simulator; a straightforward answer with one int a "
              "thread, and the model answer with four:")
    def row(what, values, why):
        says.rows(f"| {what} | " + " | ".join(values) + f" | {why} |")

    def same(name, digits=0, scale=1):
        return [f"{getattr(launch, name) / scale:,.{digits}f}" for launch in (one, four)]

    row("ints scanned", ["512", "2,048"], "")
    row("warp instructions, a warp", same("warp_instructions", 1, 16), "the steps are the same")
    row("divergent branches at `t >= d`", same("divergent_branches"), "warp 0, d = 1 to 16")
    row("barriers, one a warp", same("barriers"), f"16 · {one.barriers // 16}")
    row("shared-memory loads", same("shared_loads"), "129 for neighbours; the answer with one "
        "int also reads its own word, 9 · 16 + 16")
    row("shared-memory stores", same("shared_stores"), "16 · (1 + 9)")
    row("bank conflicts", same("bank_conflicts"), "")
    row("global load requests", same("global_loads"), "one a warp, of 4 bytes a lane or of 16")
    row("global load sectors", same("global_load_sectors"), "4 bytes · ints / 32")
    each = one.warp_instructions / 512, four.warp_instructions / 2048
    says.says(f"{each[0]:.1f} instructions for each int against {each[1]:.1f}: a factor of "
              f"{each[0] / each[1]:.1f} for the same scan.")


def traffic(says, simulator):
    def of(library, name):
        launches = simulator.sums(library, "scan_inclusive", 1 << 18, 256)
        return sum(getattr(launch, name) for launch in launches)

    loads = [of(library, "global_load_sectors") for library in ("one_int", "04")]
    stores = [of(library, "global_store_sectors") for library in ("one_int", "04")]
    ints = (1 << 18) * 4 // 32
    says.says("all launches together, 2^18 ints in blocks of 256:")
    says.rows(f"""
| sectors of 32 bytes | one int | four ints | 2^18 ints are |
| loaded | {loads[0]:,} | {loads[1]:,} | {ints:,} |
| stored | {stores[0]:,} | {stores[1]:,} | {ints:,} |
| moves of an int | {(loads[0] + stores[0]) / ints:.1f} | {(loads[1] + stores[1]) / ints:.1f} | |
""")
    says.says("the warps of phase 3, 8,192 against 2,048, each of which fetches its tile's offset: a "
              "sector for 4 bytes.")


def speed(says, simulator, measured):
    speeds = {m: measured.speed("04", f"at_2_{m}") for m in (22, 24, 28)}
    says.says(f"**In time**, on an H200, four ints a thread, in blocks of {speeds[28]['block']}; one half "
              f"of a copy is what the traffic allows:")
    says.taken("""
| of the copy | 48 % | 47 % | 44 % | 40 % |

| of what its traffic allows | 97 % | 94 % | 88 % | 81 % |

the one with 12 bytes, as above, was measured at 67 %.
""", "measured once on an H200; the tables have blocks of 128 alone")
    assert abs(float(speeds[28]["share"][:-1]) - 48) < 1.5 and speeds[28]["block"] == "128"
    for m, row in speeds.items():
        says.rows(f"| 2^{m} | {row['rate']} | {row['limit']} | {row['share'][:-1]} % |")
        assert float(row["share"][:-1]) <= 52  # or the handout's one half is wrong
    small = simulator.sums("04", "scan_inclusive", 1 << 22, int(speeds[22]["block"].replace(",", "")))
    launches = {3: "three", 5: "five"}[len(small)]
    says.says(f"Small arrays stay further below: {launches} launches, one after the other, each begin "
              f"with an empty chip and end with one.")


def instruction_rate(says, measured, one):
    """How many ints the instructions of phase 1 let through."""
    rate = 4 * 1.7e9 * 132
    assert 165 <= one.warp_instructions / 16 <= 175  # "some 170"
    ints = rate / 170 * 32
    says.says(f"An H200 has 132 SMs (multiprocessors). If each issues four instructions a clock at 1.7 GHz, "
              f"these are {rate / 1e11:.0f} · 10^11 a second. That is enough for {ints / 1e11:.1f} · 10^11 ints, "
              f"which move {8 * ints / 1e12:.1f} · 10^12 bytes in phase 1: a third of what an H200's memory can")
    copy = float(measured.speed("04", "at_2_28")["limit"].replace(",", "")) * 1e9
    assert 0.28 < 8 * ints / copy < 0.38


def asked(says):
    """The bounds of the technique tests, from what the handout derives."""
    steps = int(math.log2(512))
    says.says(f"{steps} to {2 * steps + 1} barriers of a warp in a block of {512}, in general log2(block) to "
              f"2 log2(block) + 1")
    says.says(f"{2 * 1024 * 4:,} bytes of shared memory a block at most")
    says.says(f"With k ints a thread k times as many are allowed, up to {32 // 4}: a plain loop")
    says.says(f"The ints have all {32} bits in use")


def facts(says, simulator, measured, grader):
    asked(says)
    parted, _ = worked(says)
    one, = simulator.sums("one_int", "scan_inclusive", 512, 512)
    four, = simulator.sums("04", "scan_inclusive", 2048, 512)
    assert one.at("t >= d ?").divergent_branches == parted
    says.says(f"2 · 9 + 1 = **{one.barriers // 16}** for each warp, in general 2 log2(block) + 1.")
    counted(says, one, four)
    traffic(says, simulator)
    speed(says, simulator, measured)
    instruction_rate(says, measured, one)
    launches = simulator.sums("one_int", "scan_inclusive", 100000, 512)
    says.says(f"Launches: the tiles, the totals, the adding: {len(launches)}.")
    million = simulator.sums("one_int", "scan_inclusive", 1 << 20, 512)
    says.says(f"three scans and two additions, {len(million)} launches.")
    race = grader.says("solutions/04-shared-memory-scan/mistakes/no_barrier_before_write.cu",
                       "safety.has_no_race")
    says.says(race.split("): ", 1)[1])
