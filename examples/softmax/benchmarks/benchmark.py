"""Times softmax against eager Torch: `kernels benchmark result`, or this file in a test shell."""

import statistics
import time
from typing import Callable

import torch
from kernels.benchmark import Benchmark

REPETITIONS = 25


class Softmax(Benchmark):
    """`setup_…` prepares the tensors of a workload, and `benchmark_…` is timed.

    `verify_…` returns the expected value of `out`.
    """

    seed = 0

    def prepare(self, rows: int, columns: int) -> None:
        self.x = torch.randn(rows, columns, device=self.device)
        self.out, self.expected = torch.empty_like(self.x), torch.empty_like(self.x)

    def run(self) -> None:
        self.kernel.softmax(self.x, out=self.out)

    def eager(self) -> torch.Tensor:
        return torch.softmax(self.x, -1, out=self.expected)

    def setup_small(self) -> None:
        self.prepare(128, 128)

    def setup_large(self) -> None:
        self.prepare(4096, 4096)

    benchmark_small = benchmark_large = run
    verify_small = verify_large = eager


def microseconds(run: Callable[[], object]) -> float:
    """Return the median time of a call."""
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        run()
        torch.accelerator.synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    import softmax

    device = torch.accelerator.current_accelerator().type
    print(f"Torch {torch.__version__}, {device}")
    for name in ("small", "large"):
        workload = Softmax()
        workload.kernel, workload.device = softmax, device
        getattr(workload, f"setup_{name}")()
        # A fast wrong answer is no benchmark.
        workload.run()
        torch.testing.assert_close(workload.out, workload.eager())
        eager = microseconds(workload.eager)
        kernel = microseconds(workload.run)
        print(f"{name}: eager {eager:.1f} us, kernel {kernel:.1f} us, {eager / kernel:.2f} x")


if __name__ == "__main__":
    main()
