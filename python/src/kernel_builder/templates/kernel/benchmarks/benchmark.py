"""Times mykernel against eager Torch: `kernel-builder testshell`, then run this file."""

import statistics
import time
from typing import Callable

import mykernel
import torch

OP = mykernel.add_op_namespace_prefix("mykernel")
ON_CPU = torch._C._dispatch_has_kernel_for_dispatch_key(OP, "CPU")
DEVICE = torch.device("cpu") if ON_CPU else torch.accelerator.current_accelerator()
REPETITIONS = 25


def microseconds(run: Callable[[], object]) -> float:
    """Return the median time of a call."""
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        run()
        if not ON_CPU:
            torch.accelerator.synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    print(f"Torch {torch.__version__}, {DEVICE}")
    for elements in (1 << 10, 1 << 16, 1 << 22):
        x = torch.randn(elements, device=DEVICE)
        out = torch.empty_like(x)
        # A fast wrong answer is no benchmark.
        torch.testing.assert_close(mykernel.mykernel(x), x + 1, rtol=0, atol=0)
        eager = microseconds(lambda x=x, out=out: torch.add(x, 1, out=out))
        kernel = microseconds(lambda x=x, out=out: mykernel.mykernel(x, out=out))
        print(
            f"{elements:>8} elements: eager {eager:9.1f} us, kernel {kernel:9.1f} us, "
            f"{eager / kernel:5.2f} x"
        )


if __name__ == "__main__":
    main()
