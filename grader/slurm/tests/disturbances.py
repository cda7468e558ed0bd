"""What happens to a class that is graded through Slurm: to the machines, to Slurm, and to the grader."""
import collections
import os
import random
import signal
import time

from cluster import slurm

JOURNAL = 'disturbed.journal'


class Disturbances:
    """A disturbance is a function. What must be done later to make it good waits in `cures`: functions,
    called again and again until they return true. Nodes that are out of work meanwhile are in `out`,
    with the time until which they are drained, or None."""

    def __init__(self, grading, cluster, seed, gap):
        self.grading, self.cluster, self.gap = grading, cluster, gap
        self.dice = random.Random(seed)
        self.cures, self.out, self.deck = [], {}, []
        self.counts = collections.Counter()
        self.begin = time.monotonic()
        self.output = open(grading.folder / 'heads', 'w', encoding='utf-8')  # pylint: disable=consider-using-with
        self.may_fail = self.is_interrupted = False
        grading.kill_heads(JOURNAL, [self.dice.uniform(0, 1) for _ in range(8)])
        self.head = self.start_head()

    def start_head(self):
        return self.grading.head(JOURNAL, self.output)

    def say(self, what):
        print(f'# {time.monotonic() - self.begin:5.1f} s  {what}', flush=True)

    def after(self, seconds, cure):
        end = time.monotonic() + seconds
        self.cures.append(lambda: time.monotonic() >= end and (cure() or True))

    def task(self):
        return self.dice.choice(self.cluster.running() or [(None, None)])

    def node(self):
        """One that is at work, and not the last one; or None."""
        free = {node for _, node in self.cluster.running() or [] if node in self.cluster.names} - set(self.out)
        return self.dice.choice(sorted(free)) if free and len(self.out) + 1 < len(self.cluster.names) else None

    def back(self, node):
        self.cluster.start_daemon(node)
        del self.out[node]

    def when_lost(self, node, seconds, cure):
        """Cures a node a while after Slurm has seen that it is gone."""
        self.out[node] = None
        self.cures.append(lambda: self.cluster.is_lost(node) and (self.after(seconds, cure) or True))

    def resume(self):
        """Drained nodes whose time has come; a controller that was killed may have forgotten that they are
        back, and then this tells it again."""
        for node in self.cluster.drained():
            end = self.out.get(node, 0)
            if end is not None and end <= time.monotonic():
                self.cluster.resume(node)
                self.out.pop(node, None)

    # Each of these says what it did, or returns None where it could not be done now.

    def requeue(self):
        """A task is put back into the queue while it runs (`scontrol requeue`)."""
        task, node = self.task()
        if task:
            slurm('scontrol', 'requeue', task)
        return task and f'task {task}, from {node}'

    def drain(self):
        """A node is drained, and resumed later."""
        node = self.node()
        if node:
            self.cluster.drain(node)
            self.out[node] = time.monotonic() + self.dice.uniform(3, 12)
        return node

    def drain_all(self):
        """All nodes that are left are drained for a while."""
        nodes = sorted(set(self.cluster.names) - set(self.out))
        for node in nodes:
            self.cluster.drain(node)
            self.out[node] = time.monotonic() + 5
        return ' '.join(nodes)

    def power_cut(self):
        """A node is lost with all that runs on it, and back after Slurm has seen it (NODE_FAIL)."""
        node = self.node()
        if node:
            n = self.cluster.lose(node)
            self.when_lost(node, 1, lambda: self.back(node))
        return node and f'{node} with {n} processes'

    def reboot(self):
        """A node is lost with all that runs on it, and back before Slurm has seen it."""
        node = self.node()
        if node:
            n = self.cluster.lose(node)
            self.cluster.start_daemon(node)
        return node and f'{node} with {n} processes'

    def cut_off(self):
        """A node is lost to Slurm, and its tasks, at work still, run elsewhere, too."""
        node = self.node()
        if node:
            self.cluster.cut_off(node)
            self.when_lost(node, self.dice.uniform(1, 6), lambda: self.back(node))
        return node

    def freeze(self):
        """A node stands still, its tasks are given to others, and it wakes up."""
        node = self.node()
        if node:
            thaw = self.cluster.freeze(node)
            self.when_lost(node, self.dice.uniform(1, 4), lambda: thaw() and self.out.pop(node, None))
        return node

    def daemon(self):
        """A node's daemon is killed, and started again at once."""
        node = self.node()
        if node:
            self.cluster.cut_off(node)
            self.cluster.start_daemon(node)
        return node

    def controller(self):
        """Slurm's controller is killed, and started again some seconds later."""
        self.cluster.kill_controller()
        time.sleep(self.dice.uniform(0, 4))
        self.cluster.start_controller()
        return 'slurmctld'

    def kill_head(self):
        """`warpbook grade --slurm` is killed, and started again."""
        self.head.kill()
        self.head.wait()
        time.sleep(self.dice.choice([0, 0.2, 2]))
        self.head = self.start_head()
        time.sleep(self.dice.choice([0, 0, 1]))
        return f'process {self.head.pid}'

    def interrupt_head(self):
        """The same by Ctrl-C."""
        self.head.send_signal(signal.SIGINT)
        self.is_interrupted = True
        return f'process {self.head.pid}'

    def kill_grader(self):
        """The grader of a task is killed, as for want of memory; Slurm calls the task failed."""
        graders = self.cluster.graders()
        if graders:
            os.kill(self.dice.choice(graders), signal.SIGKILL)
            self.may_fail = True
        return f'one of {len(graders)}' if graders else None

    def cancel(self):
        """A task is cancelled (`scancel`)."""
        task, _ = self.task()
        if task:
            slurm('scancel', task)
            self.may_fail = True
        return task

    def all_kinds(self):
        return [self.requeue, self.drain, self.drain_all, self.power_cut, self.reboot, self.cut_off, self.freeze,
                self.daemon, self.controller, self.kill_head, self.interrupt_head, self.kill_grader, self.cancel]

    def next(self):
        """One that can be done now; each comes once before any comes again."""
        if not self.deck:
            self.deck = self.all_kinds()
            self.dice.shuffle(self.deck)
        for kind in self.deck:
            what = kind()
            if what:
                self.say(f'{kind.__name__.replace("_", " ")}: {what}')
                self.counts[kind.__name__] += 1
                self.deck.remove(kind)
                return

    def cure(self):
        self.resume()
        for cure in list(self.cures):
            if cure():
                self.cures.remove(cure)

    def is_over(self):
        """Looks after the head. One that misses a task that failed ends with 3, as it must, and the same
        command makes it good."""
        code = self.head.poll()
        if code in (None, 0):
            return code == 0
        is_right = (code == 3 and self.may_fail) or (code == 130 and self.is_interrupted)
        self.say(f'the head ended with {code}')
        if not is_right:
            self.grading.check(False, f'a head ended with {code}:\n' + (self.grading.folder / 'heads').read_text()[-3000:])
        self.may_fail = self.may_fail and code == 130  # the next head sees what this one did not
        self.is_interrupted = False
        self.head = self.start_head()
        return False

    def run(self):
        due = time.monotonic() + self.gap / 2
        while not self.is_over():
            self.cure()
            if time.monotonic() >= due:
                self.next()
                due = time.monotonic() + self.dice.uniform(0.5, 1.5) * self.gap
            time.sleep(1)
        self.seconds = time.monotonic() - self.begin
        self.output.close()

    def end(self):
        """So that nothing is left asleep."""
        self.head.kill()
        for _ in range(300):
            self.cure()
            if not self.cures:
                return
            time.sleep(0.1)
