"""What lab 00's handout says in numbers."""

import ctypes


def scale(simulator, n, block, blocks=None):
    """Launches of scale, or of scale_strided with so many blocks."""
    words = [simulator.array(4 * n), simulator.array(4 * n)]
    grid = [] if blocks is None else [ctypes.c_uint(blocks)]
    launches = simulator.call("00", "scale_strided" if grid else "scale", words[0],
                              ctypes.c_size_t(n), ctypes.c_int(3), ctypes.c_uint(block), *grid,
                              words[1])
    for word in words:
        simulator.must("cudaFree", word)
    return launches


def negative(simulator, width, height, pitch):
    words = [simulator.array(height * pitch), simulator.array(height * pitch)]
    launches = simulator.call("00", "negative", words[0], ctypes.c_uint(width),
                              ctypes.c_uint(height), ctypes.c_size_t(pitch), words[1])
    for word in words:
        simulator.must("cudaFree", word)
    return launches


def n_blocks(launch):
    x, y, z = launch.grid
    return x * y * z


def worked(says):
    """The examples that are worked out by hand."""
    block, n = 4, 10
    blocks = (n + block - 1) // block
    says.says(f"there are three: {blocks * block} threads")
    says.says(f"(n + B - 1) / B          ({n} + {block - 1}) / {block} = {blocks}")
    says.says(f"Pixel (1, 1) is int {32 // 4 + 1}: 1 · 32 / 4 + 1.")
    says.says(f"The {8 * 4} threads take the first {8 * 4} numbers")


def facts(says, simulator, measured, grader):
    del measured
    worked(says)
    plain, = scale(simulator, 1 << 14, 128)
    picture, = negative(simulator, 128, 32, (128 + 8) * 4)
    strided, = scale(simulator, 1 << 16, 256, 8)
    warps = 8 * strided.warps
    says.rows(f"""
| launch | blocks | global load requests | sectors loaded | why |
| `scale`, 2^14 numbers, blocks of 128 | {n_blocks(plain)} | {plain.global_loads} | {plain.global_load_sectors:,} | one request a warp, {plain.global_load_sectors // plain.global_loads} sectors each |
| `negative`, 128 × 32 pixels | {n_blocks(picture)} | {picture.global_loads} | {picture.global_load_sectors} | the same |
| `scale_strided`, 2^16 numbers, 8 blocks of 256 | {n_blocks(strided)} | {strided.global_loads:,} | {strided.global_load_sectors:,} | {warps} warps, {strided.global_loads // warps} turns each |
""")
    says.says(f"`negative` has blocks of {picture.warps * 32} threads, as many as 32 × 8 pixels a block need")
    says.says(grader.says("solutions/00-first-kernel/skeleton/first_kernel.cu", "example"))
