"""A course as schools' systems export it: one assignment a lab, in turn of Canvas, Moodle and Gradescope, each a
zip; and a list of which file is whose, which says what a grader has to find. There are groups, extensions, files that are
nearly right, several attempts, people of one name, files named like other people's, strangers and absent people.

`.ci/make-class --layout course` writes one of real answers, `placing-test` one of stand-ins."""
import csv
import hashlib
import io
import random
import zipfile

SYSTEMS = ['canvas', 'moodle', 'gradescope', 'canvas', 'moodle']
FIRST = 'Ada Ben Cleo Dan Eva Finn Gia Hal Ida Jon Kim Leo Mia Nick Ola Pia Quin Ray Sam Tess Uma Vic'.split()
LAST = 'Abel Bach Cole Diaz Egede Frost Gauss Hopper Ito Jung Koch Lovelace Mori Noether Okoye Penn'.split()
GROUP = 3        # people of a group; each tenth person begins one
DEADLINE = '2026-11-21 12:00 Z'


class Person:
    def __init__(self, number, n_labs, dice):
        self.id = f's{number:04}'
        self.name = f'{dice.choice(FIRST)} {dice.choice(LAST)}'
        self.email = f'{self.id}@school.edu'
        self.canvas = 0
        self.moodle = {}
        self.group = f'g{number // 10}' if number % 10 < GROUP else ''
        self.days = 3 if number % 7 == 3 else 0
        self.is_absent = number % 40 == 39
        self.hands_in = [True] * n_labs


def dressed(lab, number, text, dice):
    """Names that a student may give the file, with its bytes and those that are to be graded."""
    stem, plain = lab.source.rsplit('.', 1)[0], text.encode(errors='surrogateescape')
    exact = (lab.source, plain, plain)
    if f'"{lab.header}"' not in text or not text.isascii() or '\0' in text:
        return [exact]
    wide = f'// {stem} by Jörg\n' + text
    choices = {
        'copy': (f'Copy of {lab.source}', plain, plain), 'text': (f'{lab.source}.txt', plain, plain),
        'number': (f'lab{number}.cu', plain, plain), 'other': ('main.cu', plain, plain),
        'attempt': (f'{stem}-1.cu', plain, plain), 'browser': (f'{stem} (1).cu', plain, plain),
        'utf16': (lab.source, text.encode('utf-16'), plain),
        'latin1': (lab.source, wide.encode('latin-1'), wide.encode()),
    }
    if dice.random() < 0.1:
        second = plain + b'// again\n'
        return [exact, (f'{stem}-2.cu', second, second)]
    return [choices[dice.choice(sorted(choices))] if dice.random() < 0.4 else exact]


def canvas_name(name):
    """As Canvas has names: the family name first, small, and nothing but letters."""
    return ''.join(c for c in ''.join(reversed(name.split())).lower() if c.isalnum())


class Export:
    """The zip of one assignment."""

    def __init__(self, system, index):
        self.system, self.index = system, index
        self.bytes = io.BytesIO()
        self.zip = zipfile.ZipFile(self.bytes, 'w', zipfile.ZIP_DEFLATED)
        self.metadata = ['---']

    def add(self, person, members, files, is_late, dice, others):
        """What one person hands in for all `members`."""
        for name, data in files:
            if self.system == 'canvas':
                late = 'LATE_' if is_late else ''
                path = f'{canvas_name(person.name)}_{late}{person.canvas}_{dice.randrange(10**6)}_{name}'
            elif self.system == 'moodle':
                path = f'{person.name}_{person.moodle[self.index]}_assignsubmission_file_/{name}'
            else:
                path = f'assignment_export/submission_{5000 + 100 * self.index + int(person.id[1:])}/{name}'
            self.zip.writestr(path, data)
        if self.system == 'gradescope':
            self.metadata += [f'submission_{5000 + 100 * self.index + int(person.id[1:])}:', '  :submitters:']
            for member in members:
                self.metadata += [f'  - :name: {member.name}', f'    :sid: {member.id}', f'    :email: {member.email}']
            self.metadata += [f'  :created_at: 2026-11-{23 if is_late else 20} 12:00:00 Z']
        if dice.random() < 0.1:  # in somebody else's name, within one's own
            victim = dice.choice(others)
            self.zip.writestr(path.rsplit('/', 1)[0] + '/' + f'{canvas_name(victim.name)}_{victim.canvas}_1_x.cu'
                              if '/' in path else path + f'_{victim.canvas}_1_x.md', b'int stolen;\n')

    def close(self, path):
        if self.system == 'gradescope':
            self.zip.writestr('assignment_export/submission_metadata.yml', '\n'.join(self.metadata) + '\n')
        self.zip.close()
        path.write_bytes(self.bytes.getvalue())


def write(folder, labs, n_people, text_of, seed):
    """Writes FOLDER/NN-SYSTEM.zip, FOLDER.roster.csv and FOLDER.list.csv. `text_of(number, lab)` is a file's text,
    or None where nothing is handed in."""
    dice = random.Random(f'course {seed}')
    people = [Person(number, len(labs), dice) for number in range(n_people)]
    canvas = dice.sample(range(1, 3 * n_people), n_people)
    for person, number in zip(people, canvas):
        person.canvas = number
    listed = []
    folder.mkdir(parents=True)
    for index, lab in enumerate(labs):
        export = Export(SYSTEMS[index % len(SYSTEMS)], index)
        for person, number in zip(people, dice.sample(range(1, n_people + 1), n_people)):
            person.moodle[index] = number
        for number, person in enumerate(people):
            leads = number % 10 == 0 or not person.group
            members = people[number:number + GROUP] if person.group and leads else [person]
            text = text_of(number, lab) if leads and not person.is_absent else None
            if not leads:
                continue
            if text is None:
                listed += [(m.id, lab.name, '', '') for m in members]
                continue
            files = dressed(lab, int(lab.name[:2]), text, dice)
            is_late = dice.random() < 0.1
            export.add(person, members, [f[:2] for f in files], is_late and export.system != 'moodle', dice, people)
            for m in members:
                late = is_late and (export.system == 'canvas' or (export.system == 'gradescope' and m.days == 0))
                listed.append((m.id, lab.name, hashlib.sha256(files[-1][2]).hexdigest(), 'late' if late else ''))
        if export.system == 'canvas':
            export.zip.writestr(f'strange_{90000 + index}_1_{lab.source}', text_of(0, lab) or 'int x;\n')
        export.close(folder / f'{index + 1:02}-{export.system}.zip')
    with open(f'{folder}.roster.csv', 'w', newline='', encoding='utf-8') as out:
        rows = csv.writer(out)
        rows.writerow(['id', 'name', 'email', 'canvas', 'moodle', 'group', 'extra days'])
        for p in people:
            moodle = ' '.join(str(p.moodle[i]) for i in range(len(labs)) if SYSTEMS[i % len(SYSTEMS)] == 'moodle')
            rows.writerow([p.id, p.name, p.email, p.canvas, moodle, p.group, p.days or ''])
    with open(f'{folder}.list.csv', 'w', newline='', encoding='utf-8') as out:
        csv.writer(out).writerows([('student', 'lab', 'sha256', 'late'), *listed])
    return people, listed
