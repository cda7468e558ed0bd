"""A course as schools' systems export it: one assignment a lab, in turn of Canvas, Moodle and Gradescope, each a
zip; and a list of which file is whose, and how late, which says what a grader has to find. There are groups, extensions,
late work, files that are nearly right, duplicates, people of one name, files named like other people's, archives that lead
to other people's folders, strangers and absent people.

`.ci/make-class --layout course` writes one of real answers, `placing-test` one of stand-ins."""
import calendar
import csv
import hashlib
import io
import random
import time
import zipfile

from dress import dressed

SYSTEMS = ['canvas', 'moodle', 'gradescope', 'canvas', 'moodle']
FIRST = 'Ada Ben Cleo Dan Eva Finn Gia Hal Ida Jon Kim Leo Mia Nick Ola Pia Quin Ray Sam Tess Uma Vic'.split()
LAST = 'Abel Bach Cole Diaz Egede Frost Gauss Hopper Ito Jung Koch Lovelace Mori Noether Okoye Penn'.split()
ODD = ["Siân O'Brien", '小龙 李', 'José Müller-Lüdenscheidt', '=SUM(A1) Null', 'Points Possible']
GROUP = 3        # people of a group; each tenth person begins one
DUE = '2026-11-21 12:00 Z'
DUE_S = calendar.timegm((2026, 11, 21, 12, 0, 0))
HOUR_S, DAY_S = 3600, 86400
GRACE_S, PERCENT, CUTOFF_S = 2 * HOUR_S, 10, 5 * DAY_S
WORTH = 20
# When files come, in seconds after the due date: both sides of each step that the rules have.
TIMES = [0, 1, HOUR_S, GRACE_S, GRACE_S + 1, DAY_S, DAY_S + 1, 60 * HOUR_S, CUTOFF_S, CUTOFF_S + 1, 8 * DAY_S]


class Person:
    def __init__(self, number, dice):
        self.id = f's{number:04}'
        odd = ODD[number // 23 % len(ODD)] if number % 23 == 5 else None
        self.name = odd or f'{dice.choice(FIRST)} {dice.choice(LAST)}'
        self.email, self.login, self.section = f'{self.id}@school.edu', f'user{number}', 'AB'[number % 2]
        self.canvas = 0
        self.moodle = {}
        self.group = f'g{number // 10}' if number % 10 < GROUP else ''
        self.days = 3 if number % 7 == 3 else 0
        self.until = DUE_S + 30 * HOUR_S if number % 11 == 2 else 0
        self.is_absent = number % 40 == 39

    def extension(self):
        return max(self.days * DAY_S, self.until - DUE_S if self.until else 0)


class Entry:
    """What the list says of one person and lab."""

    def __init__(self, person, lab, handed=None, percent=0, is_unsure=False):
        self.id, self.lab, self.percent, self.is_unsure = person.id, lab.name, percent, is_unsure
        graded = handed.graded if handed else None
        self.sha256 = hashlib.sha256(graded).hexdigest() if graded is not None else ''
        self.how, self.told = (handed.how, handed.told) if handed else ('', '')
        self.verdict = handed.verdict if handed else 'missing'

    def row(self):
        return [self.id, self.lab, self.sha256, self.percent, self.how, self.told, self.verdict, int(self.is_unsure)]


HEADINGS = ['student', 'lab', 'sha256', 'percent off', 'how', 'told', 'verdict', 'unsure']


def percent_off(person, after_s, is_dated):
    """By the course's rules, of what was handed in so much after the due date; without a date, only marked as late."""
    if not is_dated:
        return PERCENT if after_s > 0 and person.extension() < DAY_S else 0
    late_s = after_s - person.extension()
    if late_s <= GRACE_S:
        return 0
    return 100 if late_s > CUTOFF_S else min(100, PERCENT * -(-late_s // DAY_S))


def share(points, part, whole):
    """Of hundredths, the nearest."""
    return (points * part * 2 + whole) // (whole * 2) if whole else 0


def points_of(record, percent):
    """What the course makes of a record, in hundredths: tests share what the lab is worth, late work loses, half points."""
    tests = [(t['points'], t['max_points']) for t in record['tests'] if t['verdict'] != 'skipped']
    total, given, so_far, got = sum(m for _, m in tests), 0, 0, 0
    for points, most in tests:
        so_far += most
        own = share(100 * WORTH, so_far, total) - given
        given += own
        got += share(own, 100 * points, 100 * most)
    left = share(got, 100 - percent, 100)
    return (left * 2 + 50) // 100 * 50


def canvas_name(name):
    """As Canvas has names: the family name first, small, and nothing but letters."""
    return ''.join(c for c in ''.join(reversed(name.split())).lower() if c.isalnum())


def stamp(after_s):
    return time.strftime('%Y-%m-%d %H:%M:%S Z', time.gmtime(DUE_S + after_s))


class Export:
    """The zip of one assignment."""

    def __init__(self, system, index):
        self.system, self.index = system, index
        self.slash = '/' if index < len(SYSTEMS) - 1 else ''  # Moodle writes folders, or longer names
        self.bytes = io.BytesIO()
        self.zip = zipfile.ZipFile(self.bytes, 'w', zipfile.ZIP_DEFLATED)
        self.metadata = ['---']

    def folder(self, person):
        """What comes before the person's files."""
        if self.system == 'canvas':
            return f'{canvas_name(person.name)}_{person.canvas}_'
        if self.system == 'moodle':
            return f'{person.name}_{person.moodle[self.index]}_assignsubmission_file_{self.slash}'
        return f'submission_{5000 + 100 * self.index + int(person.id[1:])}/'

    def add(self, person, members, handed, after_s, dice, others):
        """What one person hands in for all `members`."""
        folder = self.folder(person)
        for name, data in handed.files:
            if self.system == 'canvas':
                late = 'LATE_' if after_s > 0 else ''
                name = name.rsplit('/', 1)[-1]
                path = f'{canvas_name(person.name)}_{late}{person.canvas}_{dice.randrange(10**6)}_{name}'
            elif not self.slash:
                path = folder + name.rsplit('/', 1)[-1]
            else:
                path = ('assignment_export/' if self.system == 'gradescope' else '') + folder + name
            self.zip.writestr(path, data)
        if self.system == 'gradescope':
            self.metadata += [folder[:-1] + ':', '  :submitters:']
            for member in members:
                self.metadata += [f'  - :name: "{member.name}"', f'    :sid: {member.id}', f'    :email: {member.email}']
            self.metadata += [f'  :created_at: {stamp(after_s)}']
        if dice.random() < 0.1:  # in somebody else's name, within one's own
            victim = dice.choice(others)
            stolen = f'{canvas_name(victim.name)}_{victim.canvas}_1_x'
            self.zip.writestr(path.rsplit('/', 1)[0] + f'/{stolen}.cu' if '/' in path else f'{path}_{stolen}.md',
                              b'int stolen;\n')

    def add_stranger(self, lab, text, people):
        """Somebody who is in no row of the roster; on Moodle of the name of somebody who is. Gives the id."""
        if self.system == 'canvas':
            self.zip.writestr(f'strange_{90000 + self.index}_1_{lab.source}', text)
            return str(90000 + self.index)
        if self.system == 'moodle':
            double = next(p for p in people if not p.is_absent and not p.group)
            self.zip.writestr(f'{double.name}_{1000 + self.index}_assignsubmission_file_{self.slash}{lab.source}', text)
            return str(1000 + self.index)
        self.zip.writestr(f'assignment_export/submission_{4000 + self.index}/{lab.source}', text)
        self.metadata += [f'submission_{4000 + self.index}:', '  :submitters:', '  - :name: Ann Onymous',
                          f'    :sid: x{self.index}', f'  :created_at: {stamp(0)}']
        return f'x{self.index}'

    def close(self, path):
        if self.system == 'gradescope':
            self.zip.writestr('assignment_export/submission_metadata.yml', '\n'.join(self.metadata) + '\n')
        self.zip.close()
        path.write_bytes(self.bytes.getvalue())


class Course:
    def __init__(self, labs, n_people, seed):
        self.labs, self.dice = labs, random.Random(f'course {seed}')
        self.people = [Person(number, self.dice) for number in range(n_people)]
        for person, number in zip(self.people, self.dice.sample(range(1, 3 * n_people), n_people)):
            person.canvas = number
        self.entries, self.strangers, self.dates = [], [], []
        for index in range(len(labs)):
            for person, number in zip(self.people, self.dice.sample(range(1, n_people + 1), n_people)):
                person.moodle[index] = number

    def system(self, index):
        return SYSTEMS[index % len(SYSTEMS)]

    def moodle(self, person):
        return [person.moodle[i] for i in range(len(self.labs)) if self.system(i) == 'moodle']

    def is_unsure(self, person, index):
        """On Moodle, two of one name may have each other's number in another assignment."""
        return self.system(index) == 'moodle' and any(
            p is not person and sorted(p.name) == sorted(person.name) and person.moodle[index] in self.moodle(p)
            for p in self.people)

    def hand_in(self, export, lab, number, text_of, texts):
        """What one person, or a group, hands in; its entries. Adds to `texts` what can be graded."""
        dice, person = self.dice, self.people[number]
        members = self.people[number:number + GROUP] if person.group else [person]
        if person.group and number % 10:
            return []
        text = None if person.is_absent else text_of(number, lab)
        victim = dice.choice(self.people)
        if text is None:
            return [Entry(m, lab) for m in members]
        handed = dressed(lab, self.labs, text, export.folder(victim).rstrip('/'), dice)
        texts += [text] if handed.verdict == 'graded' else []
        after_s = dice.choice(TIMES) if dice.random() < 0.3 else -dice.randrange(9) * DAY_S - 1
        is_dated = export.system == 'gradescope' or export.system == 'moodle' or dice.random() < 0.3
        if is_dated and export.system != 'gradescope':
            self.dates.append((person.id, stamp(after_s), lab.name))
        export.add(person, members, handed, after_s, dice, self.people)
        return [Entry(m, lab, handed, percent_off(m, after_s, is_dated), self.is_unsure(person, export.index))
                for m in members]

    def write(self, folder, text_of):
        folder.mkdir(parents=True)
        for index, lab in enumerate(self.labs):
            export = Export(self.system(index), index)
            texts = []
            for number in range(len(self.people)):
                self.entries += self.hand_in(export, lab, number, text_of, texts)
            text = (texts or ['int x;\n'])[0] + "// a stranger's\n"
            self.strangers.append(export.add_stranger(lab, text, self.people))
            export.close(folder / f'{index + 1:02}-{export.system}.zip')
        self.write_tables(folder)

    def write_tables(self, folder):
        def table(name, headings, rows):
            with open(f'{folder}.{name}.csv', 'w', newline='', encoding='utf-8') as out:
                csv.writer(out).writerows([headings, *rows])

        table('roster', ['id', 'name', 'email', 'section', 'login', 'canvas', 'moodle', 'group', 'extra days', 'until'],
              [[p.id, p.name, p.email, p.section, p.login, p.canvas, ' '.join(map(str, self.moodle(p))), p.group,
                p.days or '', time.strftime('%Y-%m-%d %H:%M Z', time.gmtime(p.until)) if p.until else '']
               for p in self.people])
        table('list', HEADINGS, [e.row() for e in self.entries])
        table('dates', ['student', 'time', 'lab'], self.dates)
        labs = ''.join(f'  - name: {lab.name}\n    column: Lab {i + 1} ({4700 + i})\n    points: {WORTH}\n    due: {DUE}\n'
                       for i, lab in enumerate(self.labs))
        with open(f'{folder}.course.yaml', 'w', encoding='utf-8') as out:
            out.write(f'title: A whole course\nhanded_in: {folder.name}.dates.csv\nrounding: 0.5\nhints: 1\nlate:\n'
                      f'  percent_per_day: {PERCENT}\n  grace_hours: {GRACE_S // HOUR_S}\n'
                      f'  cutoff_days: {CUTOFF_S // DAY_S}\nlabs:\n{labs}')


def write(folder, labs, n_people, text_of, seed):
    """Writes FOLDER/NN-SYSTEM.zip, and beside FOLDER .roster.csv, .list.csv, .dates.csv and .course.yaml.
    `text_of(number, lab)` is a file's text, or None where nothing is handed in."""
    course = Course(labs, n_people, seed)
    course.write(folder, text_of)
    return course
