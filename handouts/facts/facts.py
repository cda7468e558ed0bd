"""What the facts of the handouts stand on: model answers that run on the simulator, tables of what
was measured on a GPU, and the text of a handout, in which each fact must be found."""

import csv
import ctypes
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Gone(Exception):
    """An answer that facts stand on, and that somebody has deleted."""


class Counters:
    """Counters by the names of SIMT_COUNTERS (common/simt/simt.h); what was not counted is 0."""

    def __init__(self, counters):
        self._counters = counters

    def __getattr__(self, name):
        return self._counters.get(name, 0)


class Launch(Counters):
    """A launch of a kernel on the simulator."""

    def __init__(self, record):
        super().__init__(record["counters"])
        self.kernel = record["kernel"]
        self.grid = record["grid"]
        self.lines = record["lines"]
        x, y, z = record["block"]
        self.warps = (x * y * z + 31) // 32  # of a block

    def at(self, text, nth=0):
        """The counters of the nth of the launch's source lines that hold this text."""
        found = [line for line in self.lines if text in source_line(line["file"], line["line"])]
        if len(found) <= nth:
            raise LookupError(f"{self.kernel}: no line {nth} with {text!r} was counted")
        return Counters(found[nth]["counters"])


def source_line(path, number):
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    return lines[number - 1] if number <= len(lines) else ""


class Simulator:
    """A process has one: the drop-in runtime, and model answers that were linked with it."""

    def __init__(self, cudart, answers):
        self.cudart = ctypes.CDLL(str(cudart), mode=ctypes.RTLD_GLOBAL)
        self.cudart.simtReportJson.restype = ctypes.c_void_p
        self.works = []
        self.libraries = {path.stem.removeprefix("answer_"): ctypes.CDLL(str(path))
                          for path in answers.glob("answer_*.so")}

    def must(self, name, *arguments):
        status = getattr(self.cudart, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} returned {status}")

    def array(self, n_bytes, content=b""):
        """Device memory, with 0 behind the content."""
        address = ctypes.c_void_p()
        self.must("cudaMalloc", ctypes.byref(address), ctypes.c_size_t(max(n_bytes, 1)))
        content = content.ljust(n_bytes, b"\0")
        self.must("cudaMemcpy", address, content, ctypes.c_size_t(n_bytes), 1)
        return address

    def call(self, library, name, *arguments):
        """Calls a model answer's function; returns its launches. Arguments are ctypes' own."""
        if library not in self.libraries:
            raise Gone(f"an answer, {library}")
        self.cudart.simtReportReset()
        status = getattr(self.libraries[library], name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} returned {status}")
        text = self.cudart.simtReportJson()
        report = json.loads(ctypes.string_at(text))
        ctypes.CDLL(None).free(ctypes.c_void_p(text))
        if report["findings"]:
            raise RuntimeError(f"{name}: {report['findings'][0]['message']}")
        self.works = report.get("works", [])  # of a call with several streams
        return [Launch(record) for record in report["launches"]]

    def sums(self, library, name, n, block):
        """Calls a function (in, n, block, scratch, sum), as those of labs 01 and 02 are, with n
        words of 4 bytes; the same for (in, n, block, scratch, out) of n words."""
        words = [self.array(4 * n), self.array(8 * n + 256), self.array(4 * n + 4)]
        launches = self.call(library, name, words[0], ctypes.c_size_t(n), ctypes.c_uint(block),
                             words[1], words[2])
        for word in words:
            self.must("cudaFree", word)
        return launches


class Measured:
    """What handouts/measured has of a GPU; figures are text, as they stand there."""

    def __init__(self):
        self.folder = ROOT / "handouts" / "measured"
        readme = (self.folder / "README.md").read_text(encoding="utf-8")
        self.speeds = {}
        for line in readme.splitlines():
            cells = [cell.strip() for cell in line.strip("| ").split("|")]
            if len(cells) == 9 and cells[1].startswith("speed."):
                names = ("block", "median_ms", "spread", "rate", "limit", "share")
                self.speeds[cells[0], cells[1]] = dict(zip(names, cells[3:]))

    def speed(self, lab, test):
        """Of the model answer: block, median_ms, spread, rate and limit (GB/s of the copy; for lab 05
        10^9 a second, of evaluations and of multiply-adds), share."""
        return self.speeds[lab, "speed." + test]

    def table(self, name):
        """The rows of a .csv there, as dictionaries."""
        with open(self.folder / name, encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Grader:
    """The grader's program, for what handouts show of its output."""

    def __init__(self, program):
        self.program = program

    def says(self, file, test):
        """What the first test that did not pass says of a file, in one line."""
        if not (ROOT / file).exists():
            raise Gone(file)
        done = subprocess.run([self.program, "grade", file, "--backend", "sim", "--json", "--test",
                               test], cwd=ROOT, capture_output=True, check=False)
        tests = json.loads(done.stdout)["labs"][0]["tests"]
        return next(t["reason"] for t in tests if t["verdict"] != "pass")

    def says_with(self, file, test, old, new):
        """The same of a file in which one text stands for another: all lines are a student's."""
        if not (ROOT / file).exists():
            raise Gone(file)
        text = (ROOT / file).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} does not have once: {old}"
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder) / pathlib.Path(file).name
            changed.write_text(text.replace(old, new), encoding="utf-8")
            return self.says(changed, test)


def flat(text):
    return " ".join(text.split())


class Handout:
    """The text of a handout; `problems` are the facts that it does not say."""

    NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
    COUNTED = "## What the counters say"
    # What needs no fact: code, names of labs and devices, exercises' numbers.
    PLAIN = re.compile(r"`[^`]*`|\]\([^)]*\)|\blabs? \d\d(?: (?:to|and) \d\d)?|\bH\d\d\d\b|<!--.*?-->",
                       re.I)

    # What looks measured wherever it stands: fractions, shares, rates, times.
    MEASURED = re.compile(r"\d[\d,]*\.\d+|\d[\d,]* (?:%|[GMT]B/s|ms|µs|ns)(?!\w)")
    # But not versions, compute capabilities, exponents.
    NAMED = re.compile(r"\b(?:CUDA|capability|[Oo]n|for) \d+\.\d+\b|\^[-−]?\d+\.\d+")

    def __init__(self, path, renews):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.said = []
        self.renews = renews
        self.problems = []

    def says(self, text):
        """The handout has this text, however its lines are broken."""
        for line in filter(None, map(str.strip, text.strip().split("\n\n"))):
            self.check(flat(line))

    def rows(self, text):
        """The same, each line by itself: the rows of a table."""
        for line in filter(None, map(str.strip, text.splitlines())):
            self.check(flat(line))

    def check(self, text):
        if self.pattern(text).search(self.text):
            self.said.append(text)
            return
        old = self.nearest(text)
        there = old.group() if old else "nothing like it"
        problem = f"{self.path.name} should say\n    {text}\nbut has\n    {there}"
        if not old or not self.renews:
            self.problems.append(problem)
            return
        renewed = iter(self.NUMBER.findall(text))
        new = self.NUMBER.sub(lambda _: next(renewed), old.group())
        self.text = self.text[:old.start()] + new + self.text[old.end():]
        self.said.append(text)
        print("renewed: " + problem)

    def nearest(self, text):
        """The place that differs in numbers only, and in the fewest, of those that no other fact
        says; None where there is none."""
        places = [place for place in self.pattern(self.NUMBER.sub("\0", text)).finditer(self.text)
                  if flat(place.group()) not in self.said]
        wanted = self.NUMBER.findall(text)

        def n_same(place):
            return sum(map(str.__eq__, self.NUMBER.findall(place.group()), wanted))
        return max(places, key=n_same, default=None)

    @staticmethod
    def pattern(text):
        escaped = r"\s+".join(re.escape(word) for word in text.split())
        return re.compile(escaped.replace("\0", Handout.NUMBER.pattern))

    def taken(self, text, why):
        """The handout has this text with numbers that nothing here checks; `why` is for people."""
        assert why
        self.says(text)

    def unsaid(self, text, numbers):
        """Places of numbers in a text that are part of no fact."""
        text = flat(text)
        for said in sorted(self.said, key=len, reverse=True):
            text = text.replace(said, " ")
        text = self.NAMED.sub(" ", self.PLAIN.sub(" ", text))
        end = 0
        for match in numbers.finditer(text):
            if match.start() >= end:
                end = match.start() + 60
                around = text[max(0, match.start() - 40):end]
                self.problems.append(f"{self.path.name}: no fact says '…{around}…'")

    def uncovered(self):
        """Each number in the section on counters has to be part of a fact, and elsewhere in the text
        each that looks measured."""
        before, section = self.text.split(self.COUNTED + "\n")
        section, *after = re.split(r"\n(?=## )", section, maxsplit=1)
        self.unsaid(section, re.compile(r"\d"))
        rest = "\n".join([before, *after])
        rest = re.sub(r"^ *```.*?^ *```|^    .*?$", " ", rest, flags=re.M | re.S)
        self.unsaid(rest, self.MEASURED)

    def finish(self):
        self.uncovered()
        if self.renews:
            self.path.write_text(self.text, encoding="utf-8")
        return self.problems
