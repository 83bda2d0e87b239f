"""Times mykernel against eager Torch: `kernels benchmark result`, or this file in a test shell."""

import statistics
import time
from typing import Callable

import torch
from kernels.benchmark import Benchmark

REPETITIONS = 25


class AddOne(Benchmark):
    """`setup_…` prepares the tensors of a workload, and `benchmark_…` is timed.

    `verify_…` returns the expected value of `out`.
    """

    seed = 0

    def prepare(self, elements: int) -> None:
        self.x = torch.randn(elements, device=self.device)
        self.out, self.expected = torch.empty_like(self.x), torch.empty_like(self.x)

    def run(self) -> None:
        self.kernel.mykernel(self.x, out=self.out)

    def eager(self) -> torch.Tensor:
        return torch.add(self.x, 1, out=self.expected)

    def setup_small(self) -> None:
        self.prepare(1 << 10)

    def setup_large(self) -> None:
        self.prepare(1 << 22)

    benchmark_small = benchmark_large = run
    verify_small = verify_large = eager


def pick_device(kernel) -> str:
    """A built kernel serves one kind of device."""
    op = kernel.add_op_namespace_prefix("mykernel")
    on_cpu = torch._C._dispatch_has_kernel_for_dispatch_key(op, "CPU")
    return "cpu" if on_cpu else torch.accelerator.current_accelerator().type


def microseconds(run: Callable[[], object], device: str) -> float:
    """Return the median time of a call."""
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        run()
        if device != "cpu":
            torch.accelerator.synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    import mykernel

    device = pick_device(mykernel)
    print(f"Torch {torch.__version__}, {device}")
    for name in ("small", "large"):
        workload = AddOne()
        workload.kernel, workload.device = mykernel, device
        getattr(workload, f"setup_{name}")()
        # A fast wrong answer is no benchmark.
        workload.run()
        torch.testing.assert_close(workload.out, workload.eager(), rtol=0, atol=0)
        eager = microseconds(workload.eager, device)
        kernel = microseconds(workload.run, device)
        print(f"{name}: eager {eager:.1f} us, kernel {kernel:.1f} us, {eager / kernel:.2f} x")


if __name__ == "__main__":
    main()
