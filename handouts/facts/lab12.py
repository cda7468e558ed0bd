"""What lab 12's handout says in numbers."""

import ctypes

IN, KERNELS, OUT = range(3)
BYTES_A_NS, WARPS_A_NS = 8, 4  # the harness's time line (common/harness/lab.h)
ROUNDS, MANY_ROUNDS, CHUNK, STREAMS, WORDS = 40, 64, 4096, 4, 1 << 16


def pinned(simulator, n_bytes):
    address = ctypes.c_void_p()
    simulator.must("cudaMallocHost", ctypes.byref(address), ctypes.c_size_t(n_bytes))
    ctypes.memset(address, 1, n_bytes)
    return address


def timeline(simulator, launches):
    """Pieces of the last call as (engine, start, end), in ns."""
    ends, free, pieces = [], [0, 0, 0], []
    for work in simulator.works:
        start = max([ends[i] for i in work["after"]], default=0)
        engine = KERNELS if work["launch"] >= 0 else IN if work["to_device"] else OUT
        ns = (launches[work["launch"]].warp_instructions // WARPS_A_NS if engine == KERNELS
              else (work["to_device"] or work["from_device"]) // BYTES_A_NS)
        if work["launch"] < 0 and ns == 0:
            ends.append(start)
            continue
        start = max(start, free[engine])
        free[engine] = start + ns
        ends.append(free[engine])
        pieces.append((engine, start, start + ns))
    return pieces


def chunks(simulator, n, chunk, n_streams, rounds):
    words = [pinned(simulator, 4 * n), simulator.array(4 * n), pinned(simulator, 4 * n)]
    launches = simulator.call("12", "map_chunks", words[0], ctypes.c_size_t(n), ctypes.c_uint(rounds),
                              ctypes.c_size_t(chunk), ctypes.c_uint(n_streams), words[1], words[2])
    return timeline(simulator, launches)


def combined(simulator, n, rounds):
    words = [pinned(simulator, 4 * n), pinned(simulator, 4 * n), simulator.array(8 * n), pinned(simulator, 4 * n)]
    launches = simulator.call("12", "combine", words[0], words[1], ctypes.c_size_t(n), ctypes.c_uint(rounds),
                              words[2], words[3])
    return timeline(simulator, launches)


def busy(pieces, engine):
    return sum(end - start for one, start, end in pieces if one == engine)


def percent(pieces):
    return 100 * max(busy(pieces, engine) for engine in range(3)) // max(end for _, _, end in pieces)


def drawn(says, simulator):
    """Four chunks in four streams, a letter for 512 ns."""
    pieces = chunks(simulator, 4 * CHUNK, CHUNK, 4, ROUNDS)
    for engine, name in enumerate(("copies in", "kernels", "copies out")):
        line, text = [" "] * 60, f"{name:<12}"
        for k, (_, start, end) in enumerate(piece for piece in pieces if piece[0] == engine):
            for at in range(round(start / 512), round(end / 512)):
                line[at] = str(k)
        says.says(text + "".join(line).rstrip())
    says.says("A digit is 512 ns of the chunk of that number")


def counted(says, simulator):
    says.says(f"A copy takes 1 ns for {BYTES_A_NS} bytes, a kernel 1 ns for {WARPS_A_NS} warp instructions")
    says.says("The simulator's device has three engines.")
    says.says("2^16 words in chunks of 4,096, with 40 rounds")
    for n_streams in (2, 3, STREAMS):
        pieces = chunks(simulator, WORDS, CHUNK, n_streams, ROUNDS)
        ns = max(end for _, _, end in pieces)
        says.rows(f"| {n_streams} streams | " + " | ".join(f"{busy(pieces, e):,}" for e in range(3)) +
                  f" | {ns:,} | {percent(pieces)} % |")
    alone = sum(busy(pieces, e) for e in range(3))
    longest = max(busy(pieces, e) for e in range(3))
    says.rows("| one stream | " + " | ".join(f"{busy(pieces, e):,}" for e in range(3)) +
              f" | {alone:,} | {100 * longest // alone} % |")
    pieces = combined(simulator, WORDS, MANY_ROUNDS)
    copy, ns = 4 * WORDS // BYTES_A_NS, max(end for _, _, end in pieces)
    hidden = sum(busy(pieces, e) for e in range(3)) - ns
    assert hidden == copy
    says.says(f"`combine` of 2^16 words with 64 rounds takes {ns:,} ns. Its pieces take {ns + hidden:,} ns in sum; "
              f"the {hidden:,} ns between are b's copy, beside which a is mixed.")


def timed(says, measured):
    """What handouts/measured/measure found."""
    rows = measured.table("pipelines.csv")
    ms = {row["what"]: float(row["ms"]) for row in rows if row["what"] != "map_chunks"}
    both = ms["both copies"]
    says.says(f"**On an H200**, 2^26 words. Alone, the copy in takes {ms['copy in']:.2f} ms, the kernel {ms['kernel']:.2f} and the copy out "
              f"{ms['copy out']:.2f}. Both copies at once take {both:.2f}: they share the host's memory. `map_whole` "
              f"takes {ms['map_whole']:.2f} ms, and `map_chunks` in 4 streams:")
    for row in rows:
        if row["what"] == "map_chunks" and row["streams"] == "4":
            took, power = float(row["ms"]), int(row["chunk"]).bit_length() - 1
            says.rows(f"| 2^{power} | {took:.2f} | {100 * both / took:.0f} % |")


def facts(says, simulator, measured, grader):
    timed(says, measured)
    says.rows("""
| chunks | ⌈100,000 / 16,384⌉ = 7 |
| pieces | 7 · 3 = 21 |
| in one stream | 7 · (2 + 3 + 2) = 49 |
| the busiest engine | 7 · 3 = 21 |
| in three streams or more | 2 + 7 · 3 + 2 = **25** |
""")
    assert -(-100000 // 16384) == 7 and 7 * 7 == 49 and 2 + 21 + 2 == 25
    drawn(says, simulator)
    counted(says, simulator)
    copied, mixed = 2, 3
    says.says(f"Each chunk takes {copied} ms to be copied in, {mixed} ms to be mixed, {copied} ms to be copied out "
              f"(the last one, which has {100_000 % 16_384:,} words, counts as a full one here):")
    assert (copied, mixed) == (2, 3)  # as the table has them
    says.says(f"Of 16 chunks that is {(16 + 2) / 16} t.")
    says.says("at least 75 % of the time, of 2^16 words in 16 chunks and 4 streams")
    says.says("2^24 words in chunks of 2^20 and 4 streams: both copies at once are at least 75 % of the time")
    says.says("two engines work at once for at least 80 % as long as b's copy takes")
    says.says("more than 1,024 copies, fills and kernels")
    says.says(grader.says("solutions/12-streams/skeleton/streams.cu", "example.whole_is_mixed"))
    says.says(grader.says("solutions/12-streams/mistakes/no_event.cu", "example.both_are_combined"))
