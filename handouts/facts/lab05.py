"""What lab 05's handout says in numbers."""

import ctypes
import math


def rule(n):
    """pi - P(n), all roundings far below what the handout shows."""
    points = math.fsum(math.sqrt((n - i) * (n + i)) for i in range(1, n))
    return math.pi - 4 * (points / n + 0.5) / n


def scientific(x, digits):
    mantissa, exponent = f"{x:.{digits}e}".split("e")
    return f"{mantissa} · 10^{int(exponent)}"


def errors(says, measured):
    table = {int(row["n"]): row for row in measured.table("pi_error.csv")}
    says.says("0.25 · (½ · 1 + " + " + ".join(f"{math.sqrt(1 - x * x):.6f}"
                                              for x in (0.25, 0.5, 0.75)) +
              f" + ½ · 0) = {(math.pi - rule(4)) / 4:.6f}, four times which is "
              f"**{math.pi - rule(4):.6f}**.")
    says.rows(f"| 1 | {rule(1):.5f} | {rule(1):.3f} |")
    says.rows(f"| 8 | {rule(8):.7f} | {rule(8) * 8 ** 1.5:.3f} |")
    for m in (10, 14, 20):
        error = rule(1 << m)
        says.rows(f"| 2^{m} | {scientific(error, 5)} | {error * 2 ** (1.5 * m):.5f} |")
    heights = ", ".join(f"{math.sqrt(1 - x * x):.3f}" for x in (0.25, 0.5, 0.75))
    says.says(f"between the heights 1, {heights} and 0;")
    worst = max(float(row["error_float"]) for row in table.values())
    says.says(f"follows the line {4 * math.sqrt(2) * 0.2078862249773546:.3f} n^(−3/2) down to 2^24.")
    says.says(f"where rounding takes over, and rises to {worst:.1f}.")
    leading = 4 * math.sqrt(2) * 0.2078862249773546 * 2 ** (-1.5 * 24)  # beyond the first term: 1e-7
    says.rows(f"| 2^24 | {scientific(leading, 5)} | {leading * 2 ** 36:.5f} |")
    for m in (14, 20, 24):
        row = table[1 << m]
        in_float = float(row["error_float"])
        says.rows(f"| 2^{m} | {scientific(float(row['error_double']), 1)} | "
                  f"{scientific(in_float, 1) if m < 24 else f'{in_float:.2f}'} |")


def roundings(says):
    """The numbers in the section on the computer's errors."""
    u, v = 2.0 ** -53, 2.0 ** -24
    says.says(f"u = 2^-53 ≈ {scientific(u, 1)} of the number. A `float` has 24 bits, {scientific(v, 1)}.")
    assert 49 * (1 / 49) == 1 - u and all(k * (1 / k) == 1 for k in range(1, 49))
    says.says(f"for n = 49 it is 1 − u. There f is not 0 but √(2u) = 2^-26 ≈ "
              f"{scientific(math.sqrt(2 * u), 1)}.")
    n, block, blocks = 2 ** 20, 256, 64
    k = -(-(n + 1) // (block * blocks))
    bound = math.pi * u * (k + block + blocks + 7) + 4 * math.sqrt(u) / n
    says.says(f"For n = 2^20, {blocks} blocks of {block}: k = {k}, {scientific(bound, 1)}, while π is "
              f"{scientific(rule(n), 1)} away.")
    constant = 4 * math.sqrt(2) * 0.2078862249773546
    says.says(f"+ … = −{constant:.5f} n^(−3/2) + … ζ(−½) = −0.207886")
    says.says(f"When n doubles, the error is divided by 2^1.5 = {2 ** 1.5:.2f} and not by 4.")
    crossing = math.log2(constant / 1e-15) / 1.5
    says.says(f"when {constant:.2f} n^-1.5 falls below some 10^-15: around n = 2^{crossing:.0f}.")


def asked(says):
    """The bounds of the technique tests, from what the handout derives."""
    says.says(f"{32 * 3 // 4} lanes of 32 at work on average")


def facts(says, simulator, measured, grader):
    asked(says)
    pi, scratch = simulator.array(8), simulator.array(8 * 1024)

    def points(n):
        return simulator.call("05", "pi_trapezoid", ctypes.c_size_t(n), ctypes.c_uint(256),
                              ctypes.c_uint(8), scratch, pi)[0]

    small, large = points(1 << 16), points(1 << 17)
    turn = (large.warp_instructions - small.warp_instructions) / (32 * 8 * 8)
    says.says("The model answer's first launch, 8 blocks of 256 threads, on the simulator:")
    says.rows(f"""
| counter | n = 2^16 | n = 2^17 | why |
| turns of a thread | {2 ** 16 // 2048} | {2 ** 17 // 2048} | n / 2,048 |
| warp instructions, a warp | {small.warp_instructions / 64:.1f} | {large.warp_instructions / 64:.1f} | {turn:.0f} a turn, the rest once |
| lanes at work, of 32 | {small.thread_instructions / small.warp_instructions:.1f} | {large.thread_instructions / large.warp_instructions:.1f} | lanes rest only in the sum of the block |
| barriers, a warp | {small.barriers / 64:.0f} | {large.barriers / 64:.0f} | 1 + log2 256: once, however many points |
| global load sectors | {small.global_load_sectors} | {large.global_load_sectors} | nothing is read |
| global stores | {small.global_stores} | {large.global_stores} | a partial sum for each block |
| bank conflicts beyond what doubles need | {small.bank_conflicts} | {large.bank_conflicts} | neighbours, of 8 bytes each |
""")
    assert abs(turn - 10) < 0.1
    errors(says, measured)
    roundings(says)
    says.says("at 1.98 GHz 1.67 · 10^13 multiply-adds a second.")
    says.says("64 of them in an SM of an H200, 132 SMs")
    assert measured.speed("05", "at_2_32")["limit"] == f"{64 * 132 * 1.98:,.0f}"
    says.says("On an H200, in blocks of 256:")
    says.says("At 2^24 the two launches and the filling of the chip still count.")
    says.rows("| n | ms | 10^9 evaluations a second | multiply-adds at peak, for each |")
    for m in (24, 28, 32):
        speed = measured.speed("05", f"at_2_{m}")
        says.rows(f"| 2^{m} | {speed['median_ms']} | {speed['rate']} | {speed['share']} |")
    says.says(grader.says("solutions/05-pi-trapezoid/skeleton/pi_trapezoid.cu", "example"))
