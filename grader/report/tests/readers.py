"""Readers of the formats, for formats-test, which has every format written and read back: a function
each. It gets the document on one student, as text, and gives a Reading: what is wrong with it (by
schemas/, say), and what points it has. The text is empty where the format writes nothing because
something could not be graded."""
import base64
import csv
import hashlib
import io
import json
import pathlib
import re
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile
from fractions import Fraction

import jsonschema

readers = {}  # by the format's name
schemas = pathlib.Path(__file__).parents[1] / "schemas"


def schema_errors(name, document, part=None):
    schema = json.loads((schemas / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    if part:
        schema = {**schema["$defs"][part], "$schema": schema["$schema"]}
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message}"
            for e in jsonschema.Draft202012Validator(schema).iter_errors(document)]


def exact(number):
    """A number as it was written."""
    return Fraction(repr(number) if isinstance(number, float) else number)


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


class Reading:
    """What a format says of one student: errors (a list of sentences), the total (None: no score), the
    most points that can be had (None: it does not say), and the labs' points by name (None: likewise).
    Points are exact: `exact` of a number in JSON, Fraction of a text."""

    def __init__(self, errors, total, out_of, labs=None):
        self.errors, self.total, self.out_of, self.labs = errors, total, out_of, labs


def reads(name):
    """Before a reader: which format it reads."""

    def add(reader):
        readers[name] = reader
        return reader

    return add


@reads("gradescope")
def read_gradescope(text):
    document = json.loads(text)
    errors = schema_errors("gradescope", document)
    if "score" not in document:
        return Reading(errors, None, None)
    total = exact(document["score"])
    if sum(exact(t["score"]) for t in document["tests"]) != total:
        errors.append("the tests' scores are not the total")
    return Reading(errors, total, sum(exact(t["max_score"]) for t in document["tests"]))


@reads("github-classroom")
def read_github(text):
    if not text:
        return Reading([], None, None)
    document = json.loads(base64.b64decode(text, validate=False))
    errors = schema_errors("github-classroom", document)
    return Reading(errors, sum(exact(t["score"]) for t in document["tests"]),
                   exact(document["max_score"]))


@reads("classroom50")
def read_classroom50(text):
    if not text:
        return Reading([], None, None)
    document = json.loads(text)
    errors = schema_errors("classroom50", document)
    for key in "score", "max-score":
        if sum(exact(t[key]) for t in document["tests"]) != exact(document[key]):
            errors.append(f"the tests' {key} are not the total")
    return Reading(errors, exact(document["score"]), exact(document["max-score"]))


@reads("autolab")
def read_autolab(text):
    lines = text.rstrip("\n").split("\n")
    if not lines[-1].startswith("{"):
        return Reading([], None, None, {})
    scores, feedback = json.loads(lines[-1]), json.loads(lines[-2])
    errors = schema_errors("autolab", scores, "scores") + schema_errors("autolab", feedback,
                                                                        "feedback")
    labs = {name: exact(score) for name, score in scores["scores"].items()}
    return Reading(errors, sum(labs.values()), None, labs)


@reads("check50")
def read_check50(text):
    document = json.loads(text)
    errors = schema_errors("check50", document)
    if "error" in document:
        return Reading(errors, None, None)
    names = [r["name"] for r in document["results"]]
    if len(set(names)) < len(names):
        errors.append("two checks have the same name")
    return Reading(errors, sum(exact(r["data"]["points"]) for r in document["results"]),
                   sum(exact(r["data"]["max_points"]) for r in document["results"]))


@reads("junit")
def read_junit(text):
    done = subprocess.run(["xmllint", "--noout", "--schema", str(schemas / "junit.xsd"),
                           "-"], input=text.encode(), capture_output=True, check=False)
    errors = [done.stderr.decode()] if done.returncode else []
    root = ElementTree.fromstring(text.encode())
    points = [{p.get("name"): p.get("value") for p in suite.iter("property")}
              for suite in root.iter("testsuite")]
    for suite in root.iter("testsuite"):
        for count, tag in ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"):
            if int(suite.get(count)) != len(list(suite.iter(tag))):
                errors.append(f"{count} are miscounted")
    if any("points" not in p for p in points):
        return Reading(errors, None, None)
    return Reading(errors, sum(Fraction(p["points"]) for p in points),
                   sum(Fraction(p["max_points"]) for p in points),
                   {p["lab"]: Fraction(p["points"]) for p in points})


@reads("csv")
def read_plain(text, before=2):
    header, row = rows_of(text)
    labs = {n: Fraction(v) for n, v in zip(header[before:-2], row[before:-2]) if v}
    if not row[-2]:
        return Reading([], None, None, labs)
    errors = [] if sum(labs.values()) == Fraction(row[-2]) else ["the labs are not the total"]
    return Reading(errors, Fraction(row[-2]), Fraction(row[-1]), labs)


@reads("canvas")
def read_canvas(text):
    header, possible, row = rows_of(text)
    errors = []
    if header[:5] != ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]:
        errors.append("the headings are not those of Canvas")
    if possible[0] != "    Points Possible" or len({len(header), len(possible), len(row)}) > 1:
        errors.append("the rows are not those of Canvas")
    labs = {n: Fraction(v) for n, v in zip(header[5:], row[5:]) if v}
    if "" in row[5:]:
        return Reading(errors, None, None, labs)
    return Reading(errors, sum(labs.values()), sum(map(Fraction, possible[5:])), labs)


@reads("html")
def read_html(text):
    """What a browser must not find in the page, and that it leads nowhere else."""
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    root = ElementTree.fromstring(text.replace(scripts[0], "", 1).encode())
    errors = [] if text.startswith("<!DOCTYPE html>\n<html ") else ["it is not HTML"]
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    if len(set(ids)) < len(ids):
        errors.append("an id is there twice")
    known = set("""a body br caption code details div figcaption figure h1 h2 h3 h4 h5 head header html li
        main meta nav ol p path pre rect script section span strong style summary svg table tbody td text
        th thead title tr ul""".split())
    for element in root.iter():
        if element.tag not in known:
            errors.append(f"there is a <{element.tag}>")
        if element.tag == "a" and element.get("href")[1:] not in ids:
            errors.append(f"{element.get('href')} leads nowhere")
        for key in element.keys():
            if key.startswith("on") or key in ("src", "action", "srcdoc") or "javascript:" in element.get(key):
                errors.append(f"<{element.tag} {key}={element.get(key)!r}>")
    policy = next(e.get("content") for e in root.iter("meta") if e.get("http-equiv"))
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    if len(list(root.iter("script"))) != 1 or f"script-src 'sha256-{digest}'" not in policy or "default-src 'none'" not in policy:
        errors.append("its script is not the one it allows")
    table = next(e for e in root.iter("table") if e.get("id") == "student-table")
    names = [c.text for c in table.find("thead/tr")]
    cells = dict(zip(names, ("".join(c.itertext()) for c in table.find("tbody/tr"))))
    labs = {n: Fraction(v.split()[1]) for n, v in cells.items() if n.startswith("Lab ") and len(v.split()) > 1}
    if cells["Total"] == "–":
        return Reading(errors, None, None, labs)
    summary = "".join(next(e for e in root.iter("details") if e.get("id") == "s1").find("summary").itertext())
    got, out_of = re.search(r": (\S+) of (\S+) points$", summary).groups()
    if got != cells["Total"] or sum(labs.values()) != Fraction(got):
        errors.append("the report's total is not the table's")
    return Reading(errors, Fraction(got), Fraction(out_of), labs)


def read_sheet(lines):
    """A student's sheet as (kind, text): kinds are h1 to h3, points, p, li and pre. Each lab's points must
    follow from what the sheet says of its tests and of the rules."""
    errors, labs, found, total, out_of = [], {}, None, None, None

    def close():
        if found and found["points"] is not None and found["left"] != found["points"]:
            errors.append(f"{found['name']} has {found['points']}, and explains {found['left']}")

    def take(text):
        number = r"(-?[0-9.]+)"
        if match := re.search(f"(?:: |^Together: ){number} of {number} points\\.?(?: \\(the course [^)]*\\))?$", text):
            found["left"] += Fraction(match[1])
        elif match := re.search(f"{number} of {number}(?: points)? are taken off\\.$", text):
            found["taken"] = Fraction(match[1])
        elif match := re.search(f"^Rounded to a multiple of {number}: from {number} to {number}\\.$", text):
            found["rounded"] = Fraction(match[2]), Fraction(match[3])
        elif match := re.search(f"^A lab never brings more than it is worth: {number}\\.$", text):
            found["most"] = Fraction(match[1])

    def apply():
        if not found:
            return
        found["left"] -= found["taken"]
        if found["rounded"] and found["rounded"][0] != found["left"]:
            errors.append(f"{found['name']} is rounded from {found['rounded'][0]}, not {found['left']}")
        found["left"] = found["rounded"][1] if found["rounded"] else found["left"]
        found["left"] = min(found["left"], found["most"]) if found["most"] is not None else found["left"]
        close()

    for kind, text in lines:
        if kind == "h2":
            apply()
            name = re.match(r"Lab (\d\d) · ", text)
            found = {"name": name[1], "points": None, "left": 0, "taken": 0, "rounded": None, "most": None} if name else None
        elif kind == "points":
            match = re.fullmatch(r"(\S+) of (\S+) points", text)
            if not found:
                total, out_of = (Fraction(match[1]), Fraction(match[2])) if match else (None, None)
            elif match:
                found["points"] = labs[found["name"]] = Fraction(match[1])
        elif found and kind in ("p", "li"):
            take(text)
    apply()
    if total is not None and sum(labs.values()) != total:
        errors.append("the labs are not the total")
    return Reading(errors, total, out_of, labs)


@reads("feedback-html")
def read_feedback_html(text):
    """The sheet as a page: known elements and attributes alone, no script, no address."""
    root = ElementTree.fromstring(text.encode())
    errors = [] if text.startswith("<!DOCTYPE html>\n<html ") else ["it is not HTML"]
    known = set("html head meta title style body main h1 h2 h3 p b ul li pre details summary".split())
    for element in root.iter():
        if element.tag not in known or set(element.keys()) - {"class", "lang", "charset", "http-equiv", "name", "content"}:
            errors.append(f"there is a <{element.tag} {element.attrib}>")
    if "default-src 'none'" not in next(e.get("content") for e in root.iter("meta") if e.get("http-equiv")):
        errors.append("it has no policy")
    reading = read_sheet(("points" if e.get("class") == "points" else e.tag, "".join(e.itertext()))
                         for e in root.find("body").iter())
    return Reading(errors + reading.errors, reading.total, reading.out_of, reading.labs)


def markdown_lines(text):
    """What CommonMark makes of the few things that a sheet has; of all else, an error."""
    lines, fence, errors = [], None, []
    for line in text.split("\n"):
        if fence or re.fullmatch("`{3,}", line):
            if fence != line:
                lines += [("pre", line)] if fence else []
                fence = fence or line
            else:
                fence = None
            continue
        start = re.match(r"(#{1,3} |- |\*\*|)", line)[1]
        kind = {"- ": "li", "**": "points", "": "p"}.get(start, f"h{len(start) - 1}")
        body = line[len(start):]
        body = body[:-2] if kind == "points" and body.endswith("**") else body
        alive = re.search(r"[<>`*|~$#]|^\[|\[\[|\][(\[]|^[-+=]|^\d+[.)](?: |$)|://|www\.|&(?!(lt|gt|amp);)|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])",
                          re.sub(r"\\([!-/:-@\[-`{-~])", "x", body), re.I)
        if alive or line.startswith(" "):
            errors.append(f"{alive and alive[0]!r} is not escaped in {line!r}")
        plain = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", body)
        for entity, mark in ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"):
            plain = plain.replace(entity, mark)
        lines.append((kind, plain))
    return lines, errors + (["a fence is open"] if fence else [])


@reads("feedback-markdown")
def read_feedback_markdown(text):
    lines, errors = markdown_lines(text)
    reading = read_sheet(lines)
    return Reading(errors + reading.errors, reading.total, reading.out_of, reading.labs)


@reads("feedback-zip")
def read_feedback_zip(text):
    """Of a class of one: both forms, which say the same."""
    with zipfile.ZipFile(io.BytesIO(text.encode(errors="surrogateescape"))) as archive:
        errors = [] if archive.testzip() is None else ["it is damaged"]
        names = archive.namelist()
        markdown, page = (archive.read(name).decode() for name in names)
    if [name.split(".")[-1] for name in names] != ["md", "html"]:
        errors.append(f"it has {names}")
    one, other = read_feedback_markdown(markdown), read_feedback_html(page)
    if (one.total, one.out_of, one.labs) != (other.total, other.out_of, other.labs):
        errors.append("the two say different things")
    return Reading(errors + one.errors + other.errors, one.total, one.out_of, one.labs)


@reads("moodle")
def read_moodle(text):
    return read_plain(text, before=3)


@reads("moodle-worksheet")
def read_worksheet(text):
    """As Moodle's import of offline grading worksheets does: columns by their English names, the number
    behind "Participant ", and no grade where the cell is empty or out of range."""
    header, row = rows_of(text)
    errors = [f"there is no column {name}" for name in ("Identifier", "Grade", "Last modified (grade)")
              if header.count(name) != 1]
    cells = dict(zip(header, row))
    if not re.fullmatch(r"(Participant \d+)?", cells["Identifier"]) or "Feedback comments" in header:
        errors.append("Moodle would read more or somebody else")
    if not cells["Grade"]:
        return Reading(errors, None, None)
    if not 0 <= Fraction(cells["Grade"]) <= Fraction(cells["Maximum Grade"]):
        errors.append("the grade is out of range")
    return Reading(errors, Fraction(cells["Grade"]), Fraction(cells["Maximum Grade"]))
