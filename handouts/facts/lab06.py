"""What lab 06's handout says in numbers."""

import ctypes

FIELDS = ("max_threads", "max_blocks", "registers", "register_parts", "register_unit", "shared_bytes",
          "shared_unit", "shared_reserved")


class Multiprocessor(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name in FIELDS]


class Block(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name in ("threads", "registers", "shared_bytes")]


KIB = 1024
MULTIPROCESSORS = {
    "6.1 (GTX 1080)": Multiprocessor(2048, 32, 64 * KIB, 4, 256, 96 * KIB, 256, 0),
    "7.5 (T4, and the simulator's)": Multiprocessor(1024, 16, 64 * KIB, 4, 256, 64 * KIB, 256, 0),
    "8.0 (A100)": Multiprocessor(2048, 32, 64 * KIB, 4, 256, 164 * KIB, 128, KIB),
    "8.9 (L4, RTX 40)": Multiprocessor(1536, 24, 64 * KIB, 4, 256, 100 * KIB, 128, KIB),
    "9.0 (H100, H200)": Multiprocessor(2048, 32, 64 * KIB, 4, 256, 228 * KIB, 128, KIB),
}
OLD = Multiprocessor(1024, 8, 16 * KIB, 1, 512, 16 * KIB, 512, 0)  # compute capability 1.2


def round_up(number, unit):
    return -(-number // unit) * unit


class Answer:
    """The model answer's calculations."""

    def __init__(self, simulator):
        self.simulator = simulator

    def blocks(self, name, sm, *block):
        """What `name` says of a block (threads, registers, bytes); of `resident` blocks and warps."""
        blocks, warps = ctypes.c_uint(), ctypes.c_uint()
        out = [ctypes.byref(blocks)] + [ctypes.byref(warps)] * (name == "resident")
        self.simulator.call("06", name, ctypes.byref(sm), ctypes.byref(Block(*block)), *out)
        return (blocks.value, warps.value) if name == "resident" else blocks.value


def table(says):
    for name, sm in MULTIPROCESSORS.items():
        cells = [getattr(sm, field) for field in ("max_threads", "max_blocks", "registers",
                                                  "register_parts", "register_unit", "shared_bytes",
                                                  "shared_unit", "shared_reserved")]
        says.rows(f"| {name} | " + " | ".join(f"{cell:,}" for cell in cells) + " |")
    says.rows(f"| 1.2 (2009) | {OLD.max_threads:,} | {OLD.max_blocks} | {OLD.registers:,} | | | "
              f"{OLD.shared_bytes:,} | | |")


def little(says):
    """Bytes under way, by Little's law."""
    flying = 4.8e12 * 0.8e-6
    of_one = flying / 132
    warps = of_one / (32 * 4)
    says.says(f"(4.8 TB/s, about 0.8 µs) that is {flying / 1e6:.1f} MB, or {of_one / 1e3:.0f} KB on each of "
              f"its 132 multiprocessors.")
    says.says(f"a warp has {32 * 4} bytes, and {warps:.0f} warps would be needed. There is room for "
              f"{2048 // 32}.")
    assert 3 < warps / 64 <= 4
    says.says(f"with eight loads of 4 bytes a thread, {-(-warps // 8):.0f} warps do")


def published(says, answer):
    """2,048 threads on compute capability 1.2."""
    large, small = (answer.blocks("blocks_by_threads", OLD, threads, 1, 0) for threads in (256, 64))
    says.says(f"As 16 × 16 blocks: {2048 // 256} blocks of 256 threads. 1,024 / 256 = {large} are resident, "
              f"so {2048 // 256 // large} multiprocessors are filled. As 8 × 8 blocks: {2048 // 64} blocks "
              f"of 64 threads. 1,024 / 64 would be {1024 // 64}, but {small} is the limit, so it takes "
              f"{2048 // 64 // small} multiprocessors, each half empty.")


def worked(says, answer):
    """Blocks of 100 threads with 33 registers and 5,000 bytes."""
    sm = MULTIPROCESSORS["9.0 (H100, H200)"]
    block = (100, 33, 5000)
    by = {name: answer.blocks("blocks_by_" + name, sm, *block)
          for name in ("threads", "registers", "shared")}
    of_a_warp = round_up(32 * 33, 256)
    bytes_ = round_up(5000 + 1024, 128)
    in_a_part = 65536 // 4 // of_a_warp
    says.rows(f"""
| threads | 4 warps | {2048 // 32} warps | {by["threads"]} |
| registers | 4 warps of {of_a_warp:,} ({32 * 33:,}, rounded up) | 4 parts for {in_a_part} warps each, {4 * in_a_part} in all | {by["registers"]} |
""")
    says.says(f"| shared memory | {bytes_:,} bytes ({5000 + 1024:,}, rounded up) | {sm.shared_bytes:,} bytes | "
              f"{sm.shared_bytes // bytes_} |")
    assert by["shared"] == min(32, sm.shared_bytes // bytes_)
    blocks, warps = answer.blocks("resident", sm, *block)
    says.says(f"{blocks} blocks are resident: {warps} of 64 warps, {warps * 100 // 64} %.")
    blocks, warps = answer.blocks("resident", sm, 100, 32, 5000)
    says.says(f"One register less, 32, and a warp takes {32 * 32:,}: {blocks} blocks, {warps * 100 // 64} %.")
    says.says(f"{65536 // 4:,} / {of_a_warp:,} = {65536 / 4 / of_a_warp:.1f}")
    says.says(f"{in_a_part} for each, {4 * in_a_part} in all. Were the registers one piece, 65,536 / "
              f"{of_a_warp:,} = {65536 // of_a_warp} warps would fit. With blocks of 3 warps that would be "
              f"{65536 // of_a_warp // 3} blocks in place of {4 * in_a_part // 3}.")


def mix(simulator, name, n, block):
    words = [simulator.array(4 * n), simulator.array(4 * n)]
    launch, = simulator.call("06", name, words[0], ctypes.c_size_t(n), ctypes.c_uint(block), words[1])
    for word in words:
        simulator.must("cudaFree", word)
    return launch


def facts(says, simulator, measured, grader):
    del measured
    answer = Answer(simulator)
    table(says)
    little(says)
    published(says, answer)
    worked(says, answer)
    n, block = 1 << 12, 256
    both, one = (mix(simulator, name, n, block) for name in ("mix_neighbours", "mix_by_warps"))
    warps = n // 32
    cells = (("warps that diverge", f"{both.divergent_branches} of {warps}", f"{one.divergent_branches} of {warps}"),
             ("instructions of a warp", *(f"{k.warp_instructions / warps:.0f}" for k in (both, one))),
             ("lanes at work, of 32",
              *(f"{k.thread_instructions / k.warp_instructions:.1f}" for k in (both, one))),
             ("instructions for each number", *(f"{k.thread_instructions / n:.0f}" for k in (both, one))),
             ("sectors loaded", *(f"{k.global_load_sectors:,}" for k in (both, one))))
    for what, a, b in cells:
        says.rows(f"| {what} | {a} | {b} |")
    says.says(f"The model answer on the simulator, 2^12 numbers in blocks of {block}, of the launch:")
    says.says(f"`mix_neighbours` issues {both.warp_instructions / one.warp_instructions:.1f} times as many")
    says.says("of all launches of a call in full blocks: no warp diverges; at most 180 instructions "
              "for each number")
    says.says(grader.says("solutions/06-warps-and-occupancy/skeleton/warps.cu", "example"))
