"""Runs functions side by side. A signal ends them all, whichever line it comes in."""

import signal
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Final, TypeVar

from kernel_builder.machine import process

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Result = TypeVar("Result")


def run_side_by_side(
    tasks: Sequence[Callable[[], Result]],
    at_once: int,
    show: Callable[[int], object] = lambda _: None,
) -> list[Result]:
    """Run functions in threads, in their order, and return their results when all have ended.

    `show` gets the number of those that have ended. Only the main thread may call this. A signal
    that has a handler raises KeyboardInterrupt here, but not before the programs of all threads
    have ended: where Python starts a thread, an exception leaves its locks locked.

    Raises what the first of the functions that failed has raised.
    """
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    received: list[int] = []
    handlers = {each: found for each in SIGNALS if callable(found := signal.getsignal(each))}
    try:
        for number in handlers:
            signal.signal(number, lambda number, _: received.append(number))
        with ThreadPoolExecutor(at_once) as pool:
            # A thread has no settings but those that it is given.
            futures = [pool.submit(copy_context().run, task) for task in tasks]
            while not received and (left := [each for each in futures if not each.done()]):
                show(len(futures) - len(left))
                wait(left, process.SECONDS_BETWEEN, FIRST_COMPLETED)
            if received:
                pool.shutdown(wait=False, cancel_futures=True)
                process.end_all(lambda: all(each.done() for each in futures))
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if received:
            raise KeyboardInterrupt(received[0])
    return [each.result() for each in futures]
