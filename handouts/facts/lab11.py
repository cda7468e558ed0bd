"""What lab 11's handout says in numbers."""

ITEMS = 32


def by_hand(says):
    """The look back of one tile over words that say this of the tiles before it, nearest first."""
    words = [("tile", 7), ("tile", -2), ("tile", 5), ("all", 3)]
    before = 0
    for name, number in words:
        before += number
    says.says("7 − 2 + 5 + 3 = 13")
    assert before == 13
    says.says(f"stores {before} + 2 = {before + 2}")


def tiles(says, simulator):
    """The worked table of 2^15 ints in blocks of 128."""
    n, block = 1 << 15, 128
    count = n // (block * ITEMS)
    launch, = (launch for launch in simulator.sums("11", "scan_chained", n, block) if launch.shuffles)
    assert launch.global_store_sectors == n // 8 + count
    assert launch.atomics == count
    says.rows(f"""
| tiles, so blocks and tickets | 32,768 / 4,096 = {count} |
| sectors of ints stored | 32,768 / 8 = {n // 8:,} |
| sectors of words stored, each word by itself | {count} |
| in all | **{n // 8 + count:,}** |
""")


def calls(says, simulator):
    """Whole calls of 2^18 ints in blocks of 256."""
    for name, function, title in (("10", "scan_inclusive", "lab 10, three phases"),
                                  ("11", "scan_chained", "a chain"), ("11", "scan_look_back", "look back")):
        launches = simulator.sums(name, function, 1 << 18, 256)
        loads = sum(launch.global_load_sectors for launch in launches)
        stores = sum(launch.global_store_sectors for launch in launches)
        warps = sum(launch.warp_instructions for launch in launches)
        kernels = sum(launch.warp_instructions > 0 for launch in launches)
        says.rows(f"| {title} | {kernels} | {loads:,} | {stores:,} | {warps:,} |")
    says.says("2^18 ints in blocks of 256, whole calls, on the simulator")
    ints = (1 << 18) // 8
    says.says(f"2^18 ints are {ints:,} sectors")


def speed(says, measured):
    """The ladder's rows: all in one run, in turns on the same buffers."""
    says.says(f"the look back in blocks of 512 threads, {ITEMS} ints a thread, beside a copy and CUB's `DeviceScan`")
    rates = {(row["lab"], int(row["n"])): float(row["gbps"]) for row in measured.table("ladder.csv")}
    for m in range(20, 31, 2):
        own, copy, cub = (rates[lab, 1 << m] for lab in ("11", "copy", "CUB scan"))
        says.rows(f"| 2^{m} | {own:,.0f} | {copy:,.0f} | {own / copy:.1%} | {cub:,.0f} | {own / cub:.1%} |".replace("%", " %"))
        assert own > 0.95 * cub  # or the handout's claim is wrong
    times = rates["11", 1 << 28] / rates["10", 1 << 28]
    says.says(f"On 2^28 ints that is {times:.2f} times what lab 10 reaches")


def asked(says):
    says.says("are at least one for each 8 ints and two for each tile, less one")
    says.says("tile 0 may tell once")
    says.says("one atomic a block at most")
    says.says("at most two launches. They load at most 1.5 sectors for each 8 ints, and 64 more for each tile. They store at most "
              "4.4 sectors for each 8 ints, 4 more for each tile, and 8 more in all. They make at most 64 atomics for each tile")
    says.says("One pass loads and stores one sector for each 8 ints")


def facts(says, simulator, measured, grader):
    by_hand(says)
    tiles(says, simulator)
    calls(says, simulator)
    speed(says, measured)
    asked(says)
    says.says(grader.says("solutions/11-single-pass-scan/skeleton/single_pass.cu", "example.blocks_take_tickets"))
    says.says(grader.says("solutions/11-single-pass-scan/mistakes/no_fence.cu", "safety.passes_in_any_order"))
