"""Work spread over processes, the results in order."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Task = TypeVar("Task")
Result = TypeVar("Result")


def map_in_processes(
    work: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[tuple[Task, Result]]:
    """Each task and what *work* makes of it, in the order of the tasks.

    Whoever stops to ask, or is interrupted, leaves nothing running.

    Args:
        work: A function of a module, as it is sent to other processes by name.
        tasks: Taken only a few ahead.
        jobs: The number of processes; with 1, this one.

    Raises:
        ChildProcessError: a process was killed. Also whatever *work* raises.
    """
    tasks = iter(tasks)
    if jobs == 1:
        for task in tasks:
            yield task, work(task)
        return
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker)
    try:
        ahead: deque[tuple[Task, Future[Result]]] = deque(
            (task, pool.submit(work, task)) for task in islice(tasks, 2 * jobs)
        )
        while ahead:
            task, future = ahead.popleft()
            result = future.result()
            ahead += ((new, pool.submit(work, new)) for new in islice(tasks, 1))
            yield task, result
    except BrokenProcessPool:
        raise ChildProcessError("one of the processes was killed from outside") from None
    finally:
        for process in active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    """In each process: an interrupt is the first one's affair, and it ends with the first one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    with suppress(OSError):
        wait([parent.sentinel] if parent else [])
    os._exit(1)
