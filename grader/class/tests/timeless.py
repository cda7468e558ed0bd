"""What of a class's record is the same whenever, and wherever, it is graded."""

TIMES = {'seconds', 'started', 'from_cache'}


def timeless(value):
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in TIMES}
    return [timeless(item) for item in value] if isinstance(value, list) else value
