"""What the descriptions of figures say in numbers: for those who do not see the figure, they are the
figure, and drawing it anew does not renew them."""

import math
import re

import facts


class Description:
    """The <desc> of a figure."""

    def __init__(self, name):
        self.path = facts.ROOT / "handouts" / "figures" / (name + ".svg")
        self.text = re.search(r"<desc[^>]*>(.*?)</desc>", self.path.read_text(encoding="utf-8"),
                              re.S).group(1)
        self.problems = []

    def says(self, text):
        if facts.flat(text) not in facts.flat(self.text):
            self.problems.append(f"{self.path.name}: the description should say\n    {text}")

    def holds(self, is_true, text):
        """The description has this text, and it is true."""
        self.says(text)
        if not is_true:
            self.problems.append(f"{self.path.name}: this no longer holds: {text}")


def listed(numbers):
    *first, last = (str(number) for number in numbers)
    return ", ".join(first) + " and " + last


def lanes(figure, who_adds):
    """Which lanes of a block of 128 add in the step of a stride; sets of (warp, lane)."""
    def adding(stride):
        return {divmod(t, 32) for t in range(128) if who_adds(t, stride)}

    if figure.path.name.startswith("01"):
        figure.holds(adding(1) == {(w, lane) for w in range(4) for lane in range(0, 32, 2)},
                     "At stride 1 every second lane of all four warps adds")
        figure.holds(adding(16) == {(w, 0) for w in range(4)},
                     "at stride 16 one lane of each warp is left")
        figure.holds(adding(32) == {(0, 0), (2, 0)} and adding(64) == {(0, 0)},
                     "at stride 32 only lanes 0 of warps 0 and 2, at stride 64 only lane 0 of warp 0.")
        return
    figure.holds({warp for warp, _ in adding(64)} == {0, 1} and len(adding(64)) == 64,
                 "In the first step all lanes of warps 0 and 1 add")
    figure.holds([len(adding(s)) for s in (32, 16, 8, 4, 2, 1)] == [32, 16, 8, 4, 2, 1],
                 "in the second all of warp 0, then 16, 8, 4, 2 lanes and 1 lane of warp 0")


def eight_numbers(shuffles, steps, phases):
    u = [3, 1, -4, 1, -5, 9, 2, -6]
    for figure in (shuffles, steps):
        figure.says(f"hold {listed(u)}.")
    shuffles.says(f"then all eight hold {sum(u)}.")
    shuffles.says(f"then lane 0 holds {sum(u)},")
    steps.says(f"In the end they hold {listed([sum(u[:i + 1]) for i in range(8)])},")
    totals = re.search(r"notes its total: (-?\d+), (-?\d+) and (-?\d+)\.", phases.text)
    totals = [int(total) for total in totals.groups()]
    phases.says(f"Phase 2 scans the totals, exclusive: {listed([sum(totals[:i]) for i in range(3)])} "
                "come before the tiles.")


def measured_ones(ladder, errors, measured):
    speeds = {}
    for row in measured.table("ladder.csv"):
        speeds.setdefault(row["lab"], {})[int(row["n"])] = float(row["gbps"])
    large = [n for n in speeds["01"] if n >= 1 << 22]
    ratios = [speeds["02"][n] / speeds["01"][n] for n in large]
    ladder.holds(1.5 < min(ratios) and max(ratios) < 2.5,
                 "Lab 01 lies lowest, lab 02 about twice as high, both nearly flat;")
    last = max(large)
    ladder.holds(all(speeds["03"][n] > 1.8 * speeds["02"][n] for n in speeds["03"]) and
                 0.95 < speeds["03"][last] / speeds["copy"][last] < 1.1,
                 "lab 03 lies far above them and rises with n to the speed of a copy")
    table = {int(row["n"]): (float(row["error_double"]), float(row["error_float"]))
             for row in measured.table("pi_error.csv")}
    exact, rough = table[1 << 24]
    constant = exact * 2 ** 36
    errors.says(f"{constant:.3f} times n to the power of minus three halves, down to "
                f"{exact * 1e11:.0f} times 10 to the minus 11 at 2 to the 24.")
    leaves = min(n for n, (right, wrong) in table.items() if abs(wrong - right) > 0.25 * right)
    errors.says(f"In float they leave the line at about 2 to the {math.log2(leaves):.0f}, where rounding "
                f"takes over, and rise to {rough:.1f}.")


def warps(seats, sides):
    """Lanes of a block of 8 × 8 and of 2 × 2 × 2; sides of a branch in a block of 128."""
    flat = {(x, y): x + 8 * y for x in range(8) for y in range(8)}
    seats.holds([flat[x, 0] for x in (0, 7)] == [0, 7] and [flat[x, 1] for x in (0, 7)] == [8, 15] and
                flat[7, 3] == 31, "0 to 7 in the row y = 0, 8 to 15 in the next, up to 31 in the row y = 3.")
    seats.holds(divmod(flat[0, 4], 32) == (1, 0), "The row y = 4 begins again with 0: these are of warp 1")
    cube = [[[x + 2 * (y + 2 * z) for x in (0, 1)] for y in (0, 1)] for z in (0, 1)]
    (a, b), (c, d) = cube
    seats.says(f"lanes {listed(a)}, below them {listed(b)}, where z is 0; {listed(c)}, {listed(d)}, where z is 1.")
    even = [{t // 32 for t in range(128) if t % 2 == 0}, {t // 32 for t in range(128) if t < 64}]
    sides.holds(even == [{0, 1, 2, 3}, {0, 1}], "warps 0 and 1 go through mix_even alone")


def tile_banks(figure):
    """Lanes of a warp that read a word each of their own rows of a tile."""
    for edge, row, text in ((8, 8, "Rows of 8 words, blocks of 8 × 8: two words in each of 4 banks, 2 passes."),
                            (8, 9, "Rows of 9: one word in each of 8 banks, 1 pass."),
                            (32, 32, "Rows of 32, blocks of 32 × 32: 32 words in one bank, 32 passes."),
                            (32, 33, "Rows of 33: one word in each bank, 1 pass.")):
        wanted = [x * row % 32 for x in range(edge)]
        passes = max(map(wanted.count, wanted))
        assert all(wanted.count(bank) == passes for bank in wanted)
        banks = {1: "one bank", 32: "each bank"}.get(len(set(wanted)), f"each of {len(set(wanted))} banks")
        words = {1: "one word", 2: "two words"}.get(passes, f"{passes} words")
        figure.holds(f"{words} in {banks}, {passes} pass" in text, text)


def check(measured):
    """Checks all that have numbers; returns the problems."""
    names = ("01-lanes", "02-lanes", "02-banks", "03-ladder", "03-shuffles", "04-phases", "04-race",
             "04-steps", "05-errors", "05-trapezoids", "06-seats", "06-sides", "13-banks")
    figures = {name: Description(name) for name in names}
    lanes(figures["01-lanes"], lambda t, s: t % (2 * s) == 0)
    lanes(figures["02-lanes"], lambda t, s: t < s)
    warps(figures["06-seats"], figures["06-sides"])
    eight_numbers(figures["03-shuffles"], figures["04-steps"], figures["04-phases"])
    measured_ones(figures["03-ladder"], figures["05-errors"], measured)
    before, word, own = 9, 2, 5
    figures["04-race"].says(f"Words 30, 31 and 32 hold {before}, {word} and {own}. Thread 31 reads "
                            f"{before} and writes {before + word} to word 31;")
    figures["04-race"].says(f"it finds {word} and writes {word + own}")
    figures["04-race"].says(f"it finds {before + word} and writes {before + word + own}")
    heights = [f"{math.sqrt(1 - x * x):.3g}" for x in (0, 0.25, 0.5, 0.75, 1)]
    figures["05-trapezoids"].says(f"at heights {listed(heights)}.")
    banks = [[lane * d % 32 for lane in range(32)] for d in (1, 2, 4, 8, 16, 32)]
    passes = [max(map(wanted.count, wanted)) for wanted in banks]
    figures["02-banks"].says(f"one lane in each bank, {passes[0]} pass.")
    figures["02-banks"].says(f"two lanes in every second bank, {passes[1]} passes.")
    figures["02-banks"].says(f"4, 8, 16 and 32 apart: {listed(passes[2:])}")
    tile_banks(figures["13-banks"])
    return [problem for figure in figures.values() for problem in figure.problems]
