"""Runs functions side by side. A signal ends them all, whichever line it comes in."""

import signal
from collections.abc import Callable, Sequence
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from kernel_builder.machine import process
from kernel_builder.machine.watchdog import SIGNALS

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
    from concurrent.futures import FIRST_COMPLETED, Future, wait

    received: list[int] = []
    handlers = {each: found for each in SIGNALS if callable(found := signal.getsignal(each))}
    futures: list[Future[Result]] = [Future() for _ in tasks]
    jobs = zip(futures, tasks)

    def work() -> None:
        for future, task in jobs:
            try:
                future.set_result(task())
            except BaseException as error:
                future.set_exception(error)

    try:
        for number in handlers:
            signal.signal(number, lambda number, _: received.append(number))
        # A thread has no settings but those that it is given. One that waits for a silent host
        # does not keep the command from its end.
        for _ in range(at_once):
            Thread(target=copy_context().run, args=[work], daemon=True).start()
        while not received and (left := [each for each in futures if not each.done()]):
            show(len(futures) - len(left))
            wait(left, process.SECONDS_BETWEEN, FIRST_COMPLETED)
    finally:
        process.end_all(lambda: all(each.done() for each in futures))
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if received:
            raise KeyboardInterrupt(received[0])
    return [each.result() for each in futures]
