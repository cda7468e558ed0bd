"""What lab 13's handout says in numbers."""

import ctypes

from lab06 import KIB, MULTIPROCESSORS, OLD, Answer, Multiprocessor

LANES, SECTOR = 32, 8  # floats of a sector
A = [[1, 2, -1, 3], [0, 4, 2, -2], [5, -3, 1, 1]]
B = [[2, 0, 1, -1, 3], [1, 4, 0, 2, -2], [3, 1, -2, 5, 1], [0, -1, 2, 1, 4]]
LIBRARY = "13"


def multiply(simulator, name, size, edge):
    """The launch of a product of cubes."""
    arrays = [simulator.array(4 * size * size) for _ in range(3)]
    numbers = [ctypes.c_uint(size)] * 3 + [ctypes.c_uint(edge)] * (edge > 0)
    launch, = simulator.call(LIBRARY, "product_" + name, arrays[0], arrays[1], *numbers, arrays[2])
    for array in arrays:
        simulator.must("cudaFree", array)
    return launch


def times(says, measured):
    """What handouts/measured/measure found: a cube, and where the memory is the limit."""
    ms = {(int(row["k"]), row["product"], int(row["edge"])): float(row["ms"])
          for row in measured.table("products.csv")}
    says.says("| | 8 × 8 | 16 × 16 | 32 × 32 |")
    for name in ("naive", "tiled", "transposed", "padded"):
        says.rows(f"| {name} | " + " | ".join(f"{ms[2048, name, edge]:.2f}" for edge in (8, 16, 32)) + " |")
    for name, title in (("several", "several a thread"), ("cuBLAS", "cuBLAS")):
        says.rows(f"| {title} | | {ms[2048, name, 0]:.2f} | |")
    assert ms[2048, "transposed", 8] < ms[2048, "transposed", 16] < ms[2048, "transposed", 32]
    for edge in (8, 16, 32):
        assert abs(ms[2048, "padded", edge] / ms[2048, "tiled", edge] - 1) < 0.05
    share = ms[2048, "several", 0] / ms[2048, "tiled", 16]
    says.says(f"take {100 * share:.0f} % of the time of one")
    says.says(f"It takes {ms[16, 'several', 0]:.2f} ms; cuBLAS takes {ms[16, 'cuBLAS', 0]:.2f} ms.")


def words(numbers):
    return ", ".join(str(number).replace("-", "−") for number in numbers)


def by_hand(says):
    c = [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]
    for i, row in enumerate(B):
        says.rows(f"| {words(A[i])} | | {words(row)} | | {words(c[i])} |" if i < len(A) else
                  f"| | | {words(row)} | | |")


def cube(says, simulator):
    """The worked table."""
    size, edge = 128, 16
    blocks = (size // edge) ** 2
    warps = size * size // LANES
    naive, tiled = (multiply(simulator, name, size, edge) for name in ("naive", "tiled"))
    step = LANES // edge + edge // SECTOR
    assert naive.global_load_sectors == warps * size * step
    assert tiled.global_load_sectors == blocks * 2 * (size // edge) * edge * edge // SECTOR
    sm = sm_86()
    resident = Answer(simulator).blocks("resident", sm, edge * edge, 32, 2 * edge * edge * 4)
    assert resident == (6, 48)
    says.says(f"so {blocks} blocks of {edge * edge // LANES} warps")
    says.rows(f"""
| sectors of a step of a warp, naive | 32 / 16 + 16 / 8 = {step} |
| sectors in all, naive | {warps} warps · {size} steps · {step} = {naive.global_load_sectors:,} |
| tiles that a block loads | 2 · 128 / 16 = {2 * size // edge} |
| sectors of a tile | 16 rows of 2 = {edge * edge // SECTOR} |
| sectors in all, tiled | {blocks} · {2 * size // edge} · {edge * edge // SECTOR} = {tiled.global_load_sectors:,} |
| bytes of shared memory of a block | 2 · 16 · 16 · 4 = {2 * edge * edge * 4:,} |
| resident on compute capability 8.6 | 1,536 / 256 = {resident[0]} blocks, {resident[1]} warps of 48 |
""")


def counted(says, simulator):
    size = 128
    says.says("m = n = k = 128, the model answer on the simulator")
    steps = size * size // LANES * size
    for name, title in (("naive", "naive"), ("tiled", "tiled"), ("transposed", "transposed"),
                        ("padded", "padded"), ("blocked", "several a thread")):
        for edge in (8, 16, 32) if name != "blocked" else (0,):
            launch = multiply(simulator, name, size, edge)
            passes = launch.shared_load_wavefronts + launch.shared_store_wavefronts
            says.rows(f"| {title} | {edge or ''} | {launch.global_load_sectors:,} | {passes:,} | "
                      f"{launch.bank_conflicts:,} | {launch.warp_instructions:,} |".replace("|  |", "| |"))
            if name == "padded":  # of stores alone, one for each tile and warp
                assert launch.bank_conflicts == (steps // edge if edge < LANES else 0)
    says.says("a warp that *stores* two rows of 17 words, or four of 9, takes two passes for it")


def sm_86():
    return Multiprocessor(1536, 16, 64 * KIB, 4, 256, 100 * KIB, 128, KIB)


def occupancy(says, simulator):
    answer = Answer(simulator)
    by_name = {name[:3]: sm for name, sm in MULTIPROCESSORS.items()} | {"8.6": sm_86(), "1.2": OLD}
    says.says("with 32 registers a thread and two tiles, by the rules of lab 06")
    says.says("| compute capability | 8 × 8 | 16 × 16 | 32 × 32 | warps at most |")
    for name in ("7.5", "8.6", "8.9", "9.0", "1.2"):
        sm = by_name[name]
        cells = []
        for edge in (8, 16, 32):
            if name == "1.2":  # 16 registers a thread, as its few allow
                blocks = answer.blocks("blocks_by_threads", sm, edge * edge, 16, 0)
                cells.append(f"{blocks}, {blocks * edge * edge // LANES}" if edge < 32 else "")
            else:
                cells.append("{}, {}".format(*answer.blocks("resident", sm, edge * edge, 32,
                                                            2 * edge * edge * 4)))
        says.rows((f"| {name} | " + " | ".join(cells) +
                   f" | {sm.max_threads // LANES} |").replace("|  |", "| |"))
    says.says("Compute capability 1.2 has no block of 1,024 threads. There 8 blocks of 8 × 8 threads fill half")
    few = answer.blocks("resident", by_name["8.6"], 64, 32, 512)
    says.says("On 8.6, too, {} blocks of 2 warps are {} of 48.".format(*few))
    says.says("On the others the price of 8 × 8 is traffic, not occupancy")
    assert all(answer.blocks("resident", by_name[name], 64, 32, 512)[1] == by_name[name].max_threads // LANES
               for name in ("7.5", "8.9", "9.0"))


def time(says):
    rate = 128 * 132 * 1.98e9
    says.says("A cube of 2,048 takes 2,048³ multiply-adds")
    says.says(f"On an H200, with 132 multiprocessors of 128 units at 1.98 GHz, that is {rate / 1e12:.1f} · 10^12 "
              f"multiply-adds a second at most, so {2048 ** 3 / rate * 1e3:.2f} ms.")
    says.says(f"At 8,192 × 16 by 16 × 8,192 the memory is the limit: c alone is {8192 * 8192 * 4:,} bytes.")


def asked(says):
    says.says("32 / edge + edge / 8 sectors for a step of a warp at most")
    says.says("one sector for 8 floats")
    says.says("2 · m · n · k / edge floats loaded at most, in whole sectors; no bank conflict; 2 barriers for each pair")
    says.says("no bank conflict in blocks of 32 × 32. In other blocks a warp has at most two for each pair of tiles")
    says.says(f"on average, {5 / 4} passes over the banks at most for each multiply-add")
    says.says(f"Two by two results need {2 + 2} words for {2 * 2} multiply-adds, four in a column {4 + 1}")
    says.says("the sectors of tiles of 32 × 32 at most")
    says.says("Loads outnumber stores by EDGE to 1")


def facts(says, simulator, measured, grader):
    by_hand(says)
    cube(says, simulator)
    counted(says, simulator)
    occupancy(says, simulator)
    time(says)
    times(says, measured)
    asked(says)
    says.says(grader.says("solutions/13-matrix-product/skeleton/matrix_product.cu", "example.naive_multiplies"))
    says.says(grader.says("solutions/13-matrix-product/mistakes/early_return.cu", "example.tiled_multiplies"))
