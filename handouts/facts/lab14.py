"""What lab 14's handout says in numbers."""

import ctypes
import pathlib
import re


def fast(simulator, name, n):
    """Launches of a call of (in, n, scratch, out)."""
    words = [simulator.array(4 * n), simulator.array(8 * (n // 256 + 1024)), simulator.array(4 * n)]
    launches = simulator.call("14", name, words[0], ctypes.c_size_t(n), words[1], words[2])
    for word in words:
        simulator.must("cudaFree", word)
    return launches


def least(says):
    """The worked table of 2^16 ints."""
    n = 1 << 16
    says.rows(f"""
| loaded by a sum, at the least | 65,536 / 8 = {n // 8:,} |
| loaded and stored by a scan, at the least | 2 · {n // 8:,} = **{n // 4:,}** |
| the same in three phases | 4 · {n // 8:,} = {n // 2:,} |
""")


def calls(says, simulator):
    """Whole calls of 2^18 ints."""
    n = 1 << 18
    for launches, title, limits in ((fast(simulator, "sum_fast", n), "`sum_fast`", ("1.1", "0.1", "12")),
                            (fast(simulator, "scan_fast", n), "`scan_fast`", ("1.5", "4.4", "40")),
                            (simulator.sums("10", "scan_inclusive", n, 256), "lab 10, three phases", ("", "", ""))):
        loads = sum(launch.global_load_sectors for launch in launches)
        stores = sum(launch.global_store_sectors for launch in launches)
        warps = sum(launch.warp_instructions for launch in launches)
        says.rows(f"| {title} | {loads:,} | {stores:,} | {warps:,} |")
        cells = (f"{loads / (n // 8):.2f}", f"{stores / (n // 8):.2f}", f"{warps / (n // 32):.1f}")
        says.rows(f"| {title} | " + " | ".join(f"{c} | {limit}" for c, limit in zip(cells, limits)) + " |")
    says.says("Whole calls of 2^18 ints on the simulator; lab 10 in blocks of 256")


def speed(says, measured):
    """The ladder's rows: all in one run, in turns on the same buffers."""
    rates = {(row["lab"], int(row["n"])): float(row["gbps"]) for row in measured.table("ladder.csv")}
    for m in range(22, 31, 2):
        share = [rates[lab, 1 << m] / rates["copy", 1 << m] for lab in ("14 sum", "CUB reduce", "14 scan", "CUB scan")]
        says.rows((f"| 2^{m} | " + " | ".join(f"{s:.1%}" for s in share) + " |").replace("%", " %"))


def asked(says, simulator):
    array = simulator.array(4)
    assert array.value % 16 == 0
    simulator.must("cudaFree", array)
    tests = (pathlib.Path(__file__).resolve().parents[2] / "labs" / "14-capstone" / "tests" / "test_technique.c").read_text("utf-8")
    sizes = {what: re.findall(r"lab_one\(lab, 1 << (\d+), ANY_BLOCK, count_" + what, tests)
             for what in ("sum_traffic", "scan_traffic", "sum_instructions", "scan_instructions")}
    assert sizes == {"sum_traffic": ["20", "19"], "scan_traffic": ["20", "19"],
                     "sum_instructions": ["20"], "scan_instructions": ["20"]}
    says.says("On the simulator 2^20 ints are counted, sectors with 2^19 ints, too; `in` and `out` begin at a multiple of "
              "16 bytes there.")
    says.says("n ints fill n / 8 sectors. It loads at most 1.1 times as many, and stores at most a tenth of them. It "
              "takes at most 12 warp instructions for each 32 ints, and one bank conflict for each 1,024.")
    says.says("it loads at most 1.5 times the n / 8 sectors, and stores at most 4.4 times. It takes at most 40 warp "
              "instructions for each 32 ints, and one bank conflict for each 64.")
    says.says("The same calls of 2^18 ints, in shares of the n / 8 sectors and for each 32 ints.")
    says.says("1.5 has room for that, and none for a second pass")
    says.says("each of them touches the same sectors again, and 4.4 has room for that")
    says.says("at 2^28 ints: 75 % of the copy's bandwidth by `sum_fast`, 55 % by `scan_fast`")


def facts(says, simulator, measured, grader):
    least(says)
    calls(says, simulator)
    speed(says, measured)
    asked(says, simulator)
    says.says(grader.says("solutions/14-capstone/skeleton/capstone.cu", "example.sums_ints"))
    says.says(grader.says("solutions/14-capstone/mistakes/plain_addition.cu", "safety.sums_in_any_order"))
