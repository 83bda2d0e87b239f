"""A function for each of several kernels, in threads: order, errors, an interruption."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from threading import Timer

import pytest

from kernel_builder.kernel.several import attempt_each
from kernel_builder.machine.process import listen, run
from kernel_builder.messages.errors import KernelBuilderError


def test_attempts_keep_their_order_and_their_errors() -> None:
    def halve(number: int) -> int:
        if number % 2:
            raise KernelBuilderError(f"{number} is odd")
        return number // 2

    first, second, third = attempt_each([4, 3, 2], halve, "halving", workers=2)
    assert (first, str(second), third) == (2, "3 is odd", 1)
    with pytest.raises(ZeroDivisionError):
        attempt_each([1, 0], lambda number: 1 // number, "dividing")


@pytest.mark.parametrize("start", [run, listen])
def test_an_interruption_ends_what_was_started(start: Callable[[list[str]], object]) -> None:
    begun = time.monotonic()
    Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        attempt_each([start], lambda start: start(["sleep", "60"]), "waiting")
    assert time.monotonic() - begun < 30
