"""A Slurm on this machine for tests: how it stands, and what may happen to its machines.

A node's power cut, its frozen kernel and its lost network look alike to Slurm, which gives the node's
tasks to others after ten seconds; they are not alike for the tasks, which are dead, asleep, or at work.
"""
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

NODES = Path(__file__).resolve().parents[3] / '.ci' / 'slurm-nodes'
PATIENCE = 120


def need_slurm():
    """Ends the test as skipped where there is none."""
    for program in ('sbatch', 'slurmctld', 'slurmd', 'munged'):
        if not shutil.which(program, path=os.environ['PATH'] + ':/usr/sbin'):
            skip(f'there is no {program}: it is in the Debian packages slurm-wlm and munge')
    if os.geteuid() != 0:
        skip('it wants root')


def skip(why):
    print(f'1..0 # SKIP {why}')
    sys.exit(0)


def until(what, condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.1)
    raise AssertionError(f'{what}: not within {PATIENCE} s')


def slurm(*words):
    """What one of Slurm's programs prints."""
    run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    if run.returncode != 0:
        print(f'# {" ".join(words)}: {run.stderr.strip()}')
    return run.stdout.strip()


def signal_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
    return len(pids)


def read(path):
    try:
        return path.read_bytes()
    except OSError:  # it ended meanwhile
        return b''


class Cluster:
    def __init__(self, folder, n_nodes=2, cpus=None):
        self.folder, self.names = folder, [f'node{i + 1}' for i in range(n_nodes)]
        more = ['--cpus', str(cpus)] if cpus else []
        subprocess.run([NODES, 'start', folder, '--nodes', str(n_nodes), *more], check=True, stdout=subprocess.DEVNULL)
        self.conf = folder / 'slurm.conf'
        os.environ['SLURM_CONF'] = str(self.conf)

    def stop(self):
        subprocess.run([NODES, 'stop', self.folder], check=False)

    def running(self, n=1):
        """Tasks that run, as (id of the array's task, node), at least `n`."""
        lines = slurm('squeue', '-h', '-r', '-t', 'RUNNING', '-o', '%F_%K %N').splitlines()
        return [line.split() for line in lines] if len(lines) >= n else None

    def requeue_one(self):
        """Has Slurm take back a task that runs; returns its id when no process of it is left. Slurm kills
        them some time after it was asked: who doesn't wait may take them for those of the next task."""
        (task, node), *_ = until('a task runs', self.running)
        pids = set(until('the task has begun', lambda: self.graders(node) and self.processes(node)))
        slurm('scontrol', 'requeue', task)
        until('the requeued task is gone', lambda: not pids & set(self.processes(node)))
        return task

    def jobs(self):
        """Tasks that run or may run yet."""
        return slurm('squeue', '-h', '-r', '-o', '%F_%K %T').splitlines()

    def state(self, node):
        return slurm('sinfo', '-h', '-n', node, '-o', '%T')

    def is_lost(self, node):
        return self.state(node).startswith('down') or self.state(node).endswith('*')

    def is_back(self, node):
        return self.state(node) in ('idle', 'mixed', 'allocated')

    def drained(self):
        """Those that are, or will be once their tasks have ended."""
        return [node for node in self.names if self.state(node).startswith('drain')]

    def drain(self, node):
        slurm('scontrol', 'update', f'nodename={node}', 'state=drain', 'reason=test')

    def resume(self, node):
        slurm('scontrol', 'update', f'nodename={node}', 'state=resume')

    def daemon(self, node):
        """Its file is empty for a moment while it starts."""
        return [int(until(f'slurmd of {node} has begun', (self.folder / f'slurmd.{node}.pid').read_text))]

    def processes(self, node):
        """All that a node's tasks run (`tasks`), and Slurm's own processes above them."""
        tasks, parents = self.tasks(node)
        return sorted(tasks | {parents[pid] for pid in tasks
                               if read(Path(f'/proc/{parents[pid]}/comm')).startswith(b'slurmstepd')})

    def tasks(self, node):
        """What a node's tasks run, and the parents of all processes. The scripts are known by their
        environment; all below them counts, too: the sandbox has given that another environment."""
        marks = {f'SLURM_CONF={self.conf}'.encode(), f'SLURMD_NODENAME={node}'.encode()}
        parents, found = {}, set()
        for process in Path('/proc').glob('[0-9]*'):
            stat = read(process / 'stat').rpartition(b')')[2].split()
            parents[int(process.name)] = int(stat[1]) if stat else 0
            if marks <= set(read(process / 'environ').split(b'\0')):
                found.add(int(process.name))
        size = 0
        while size != len(found):
            size = len(found)
            found |= {pid for pid, parent in parents.items() if parent in found}
        return found - set(self.daemon(node)), parents

    def lose(self, node):
        """As a power cut does; the number of processes of tasks."""
        pids = self.processes(node)
        return signal_all(self.daemon(node) + pids, signal.SIGKILL) - 1

    def cut_off(self, node):
        """The daemon alone: what runs there goes on."""
        signal_all(self.daemon(node), signal.SIGKILL)

    def start_daemon(self, node):
        subprocess.run([NODES, 'slurmd', self.folder, node], check=True)

    def freeze(self, node):
        """Nothing of the node moves until it is thawed by what this returns."""
        pids = self.daemon(node) + self.processes(node)
        signal_all(pids, signal.SIGSTOP)
        return lambda: signal_all(pids, signal.SIGCONT)

    def hold_at_work(self):
        """Waits until a file is being graded on each node, and has the tasks stand still there, until
        they go on by what this returns. Slurm's own processes go on, so that what is asked of it
        meanwhile happens while no task can come to its end."""
        held = {}

        def all_are_held():
            for node in self.names:
                pids = self.tasks(node)[0] if node not in held and self.is_at_work(node) else []
                signal_all(pids, signal.SIGSTOP)
                if pids and self.is_at_work(node):
                    held[node] = pids
                else:  # they ended just then
                    signal_all(pids, signal.SIGCONT)
            return len(held) == len(self.names)

        until('all nodes are at work', all_are_held)
        return lambda: [signal_all(pids, signal.SIGCONT) for pids in held.values()]

    def is_at_work(self, node):
        """A grader of this node has a process below it: what compiles or tests a file."""
        parents = self.tasks(node)[1]
        return any(pid in parents.values() for pid in self.graders(node))

    def kill_controller(self):
        signal_all([int((self.folder / 'slurmctld.pid').read_text())], signal.SIGKILL)

    def start_controller(self):
        subprocess.run([NODES, 'slurmctld', self.folder], check=True)

    def graders(self, *nodes):
        """Those that tasks run, on all nodes or on these."""
        return [pid for node in nodes or self.names for pid in self.processes(node)
                if read(Path(f'/proc/{pid}/cmdline')).split(b'\0')[1:2] == [b'grade']]
