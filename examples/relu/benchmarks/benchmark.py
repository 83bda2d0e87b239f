"""Times relu against eager Torch and prints how many times faster it is.

`kernels benchmark` runs the workloads of the class, this file in a test shell the whole table.

Half precision in the caches is where the kernel wins: eager converts every number to float32 and
back. In float32 and beyond the caches both wait for the same memory. Small tensors measure the cost
of a call, and there eager wins: it needs no step through Python.
"""

import statistics
import time
from functools import partial
from typing import Callable

import torch
from kernels.benchmark import Benchmark

DTYPES = (torch.bfloat16, torch.float16, torch.float32)
ELEMENTS = (1 << 10, 1 << 14, 1 << 17, 1 << 20, 1 << 24)
REPETITIONS = 25
SECONDS_PER_REPETITION = 0.002


class Relu(Benchmark):
    """Half precision in the caches, and float32 beyond them."""

    seed = 0

    def prepare(self, dtype: torch.dtype, elements: int) -> None:
        self.x = torch.randn(elements, device=self.device).to(dtype)
        self.out, self.expected = torch.empty_like(self.x), torch.empty_like(self.x)

    def run(self) -> None:
        self.kernel.relu(self.x, out=self.out)

    def eager(self) -> torch.Tensor:
        return torch.clamp_min(self.x, 0, out=self.expected)

    def setup_bfloat16(self) -> None:
        self.prepare(torch.bfloat16, 1 << 17)

    def setup_float32(self) -> None:
        self.prepare(torch.float32, 1 << 24)

    benchmark_bfloat16 = benchmark_float32 = run
    verify_bfloat16 = verify_float32 = eager


def pick_device(kernel) -> str:
    """A built kernel serves one kind of device; the op's dispatch table knows which."""
    op = kernel.add_op_namespace_prefix("relu")
    return "cuda" if torch._C._dispatch_has_kernel_for_dispatch_key(op, "CUDA") else "cpu"


def seconds_per_call(run: Callable[[], object], calls: int, device: str) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        run()
    if device == "cuda":
        torch.cuda.synchronize()
    return (time.perf_counter() - start) / calls


def compare(
    eager: Callable[[], object], kernel: Callable[[], object], device: str
) -> tuple[float, float]:
    """Median seconds of both, measured in turns so that a noisy moment hits both."""
    warm = min(seconds_per_call(run, 3, device) for run in (eager, kernel))
    calls = max(1, int(SECONDS_PER_REPETITION / warm))
    times: list[tuple[float, float]] = [
        (seconds_per_call(eager, calls, device), seconds_per_call(kernel, calls, device))
        for _ in range(REPETITIONS)
    ]
    return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times)


def main() -> None:
    import relu

    device = pick_device(relu)
    print(
        f"Torch {torch.__version__}, {device}, {torch.get_num_threads()} CPU threads, "
        f"{REPETITIONS} repetitions"
    )
    print(
        f"{'dtype':>8} {'elements':>9} {'output':>8} {'eager us':>9} {'kernel us':>9} {'ratio':>6}"
    )
    torch.manual_seed(0)
    for dtype in DTYPES:
        for elements in ELEMENTS:
            x = torch.randn(elements, device=device).to(dtype)
            out = torch.empty_like(x)
            variants = {
                "new": (partial(torch.relu, x), partial(relu.relu, x)),
                "reused": (partial(torch.clamp_min, x, 0, out=out), partial(relu.relu, x, out=out)),
            }
            for output, (eager, kernel) in variants.items():
                expected = eager().clone()
                torch.testing.assert_close(kernel(), expected, rtol=0, atol=0)
                eager_s, kernel_s = compare(eager, kernel, device)
                print(
                    f"{str(dtype).removeprefix('torch.'):>8} {elements:>9} {output:>8} "
                    f"{eager_s * 1e6:>9.1f} {kernel_s * 1e6:>9.1f} {eager_s / kernel_s:>5.2f}x"
                )


if __name__ == "__main__":
    main()
