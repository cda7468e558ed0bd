"""What of a class's record is the same whenever, and wherever, it is graded."""

TIMES = {'seconds', 'started', 'from_cache'}
STOPPED = {'reason', 'launches', 'findings', 'kernels'}  # of a test that timed out


def timeless(value):
    if isinstance(value, dict):
        left_out = TIMES | (STOPPED if value.get('verdict') == 'timeout' else set())
        return {key: timeless(item) for key, item in value.items() if key not in left_out}
    return [timeless(item) for item in value] if isinstance(value, list) else value
