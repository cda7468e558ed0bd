"""A class that is graded several times, into a journal each, and what of it must be the same."""
import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'grader' / 'class' / 'tests'))
from timeless import timeless  # noqa: E402 pylint: disable=wrong-import-position

GRADER = os.environ['WARPBOOK_TEST_GRADER']
# Their documents can't be compared without times: one hides them in base64, one wants a runner's variables.
NOT_COMPARED = ('github-classroom', 'classroom50')
TIME = re.compile(rb'time(="|": )[0-9.e-]+')


def formats():
    """The formats that --help lists."""
    text = ' '.join(subprocess.run([GRADER, '--help'], stdout=subprocess.PIPE, check=True, text=True).stdout.split())
    return [name for name in re.search(r'Report as one of ([^(]*)', text)[1].split() if name not in NOT_COMPARED]


class Class:
    def __init__(self, folder, path, *options):
        """Journals lie in `folder`; `options` are those of `--slurm`."""
        self.folder, self.path, self.options = folder, path, options
        self.n, self.is_right = 0, True
        self.tmp = folder / 'tmp'  # of tasks
        self.tmp.mkdir()
        os.environ['TMPDIR'] = str(self.tmp)

    def check(self, is_right, what):
        self.n += 1
        self.is_right &= bool(is_right)
        print('ok' if is_right else 'not ok', self.n, '-', what, flush=True)

    def command(self, journal, *more):
        return [GRADER, 'grade', str(self.path), '--seed', '5eed', '--journal', str(self.folder / journal), *more]

    def through_slurm(self, journal):
        return self.command(journal, '--slurm', *self.options)

    def head(self, journal, output=subprocess.PIPE):
        return subprocess.Popen(self.through_slurm(journal), stdout=output, stderr=subprocess.STDOUT, text=True)

    def kill_heads(self, journal, seconds):
        """Starts a head again and again, and kills it so long after: it may be about to submit."""
        for wait in seconds:
            head = self.head(journal, subprocess.DEVNULL)
            time.sleep(wait)
            head.kill()
            head.wait()

    def record(self, journal):
        """The class's record, from its journal or after the work, and the exit code."""
        run = subprocess.run(self.command(journal, '--backend', 'sim', '--json'), stdout=subprocess.PIPE, check=False)
        return run.returncode, json.dumps(timeless(json.loads(run.stdout)), indent=1)

    def rows(self, journal):
        with contextlib.closing(sqlite3.connect(self.folder / journal)) as base:
            results = sorted(base.execute('SELECT lab, file, verdict, points, max_points FROM result'))
            grades = sorted(base.execute('SELECT g.student, g.lab, r.file FROM grade g JOIN result r ON r.id = g.result'))
        return results, grades

    def reports(self, journal):
        """What schools' systems and the instructor get, without times."""
        texts = {}
        for name in formats():
            to = self.folder / f'{journal}.{name}'
            subprocess.run(self.command(journal, '--backend', 'sim', '--format', name, '--output', str(to)),
                           check=False, stdout=subprocess.DEVNULL)
            files = sorted(to.rglob('*.*')) if to.is_dir() else [to]
            texts[name] = b''.join(TIME.sub(b'', file.read_bytes()) for file in files)
        return texts

    def all_of(self, journal):
        """Rows first, since the record's run would grade what is lost."""
        rows = self.rows(journal) if (self.folder / journal).exists() else None
        code, record = self.record(journal)
        return {'code': code, 'record': record, 'rows': rows or self.rows(journal)}

    def compare(self, journal, wanted, what):
        got = self.all_of(journal)
        self.check(got['rows'] == wanted['rows'], f'{what}: each result and each grade is there once')
        self.check(got['code'] == 0 and got['record'] == wanted['record'],
                   f'{what}: the same {len(wanted["record"])} bytes')
        self.check(not list(self.folder.glob(f'{journal}.slurm*')), f'{what}: nothing is left behind')
        if got['record'] != wanted['record']:
            pairs = enumerate(zip(got['record'].splitlines(), wanted['record'].splitlines()))
            print('# differs:', *[f'{i}: {a} not {b}' for i, (a, b) in pairs if a != b][:10], sep='\n# ')
