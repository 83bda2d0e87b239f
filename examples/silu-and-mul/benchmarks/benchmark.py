"""Times silu_and_mul against eager Torch and prints how many times faster it is.

`kernels benchmark` runs the workloads of the class, this file in a test shell the whole table.

Eager takes two passes and an intermediate tensor; the kernel takes one pass, and in bfloat16 it
also rounds once instead of twice. float64 is left out: the kernel has no vectors for it.
"""

import statistics
import time
from typing import Callable

import torch
import torch.nn.functional as F
from kernels.benchmark import Benchmark

# Tokens and width of the output, as in a decoder: one token, a small batch, a prompt.
SHAPES = ((1, 1024), (1, 14336), (16, 4096), (64, 14336), (512, 14336))
DTYPES = (torch.float32, torch.bfloat16)
REPETITIONS = 25
SECONDS_PER_REPETITION = 0.002


def eager_silu_and_mul(x: torch.Tensor) -> torch.Tensor:
    width = x.shape[-1] // 2
    return F.silu(x[..., :width]) * x[..., width:]


class SiluAndMul(Benchmark):
    """One token, and a prompt."""

    seed = 0

    def prepare(self, tokens: int) -> None:
        self.x = torch.randn(tokens, 2 * 14336, device=self.device)

    def run(self) -> None:
        self.out = self.kernel.silu_and_mul(self.x)

    def eager(self) -> torch.Tensor:
        return eager_silu_and_mul(self.x)

    def setup_token(self) -> None:
        self.prepare(1)

    def setup_prompt(self) -> None:
        self.prepare(512)

    benchmark_token = benchmark_prompt = run
    verify_token = verify_prompt = eager


def seconds_per_call(
    run: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, calls: int
) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        run(x)
    return (time.perf_counter() - start) / calls


def compare(x: torch.Tensor, kernel: Callable[[torch.Tensor], torch.Tensor]) -> tuple[float, float]:
    """Median seconds of eager and kernel, measured in turns so that a noisy moment hits both."""
    warm = min(seconds_per_call(run, x, 3) for run in (eager_silu_and_mul, kernel))
    calls = max(1, int(SECONDS_PER_REPETITION / warm))
    times: list[tuple[float, float]] = [
        (seconds_per_call(eager_silu_and_mul, x, calls), seconds_per_call(kernel, x, calls))
        for _ in range(REPETITIONS)
    ]
    return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times)


def main() -> None:
    from silu_and_mul import silu_and_mul

    print(
        f"Torch {torch.__version__}, {torch.get_num_threads()} threads, {REPETITIONS} repetitions"
    )
    print(f"{'dtype':>8} {'tokens':>6} {'width':>6} {'eager us':>9} {'kernel us':>9} {'ratio':>6}")
    torch.manual_seed(0)
    for dtype in DTYPES:
        for tokens, width in SHAPES:
            x = torch.randn(tokens, 2 * width).to(dtype)
            torch.testing.assert_close(silu_and_mul(x), eager_silu_and_mul(x))
            eager_s, kernel_s = compare(x, silu_and_mul)
            print(
                f"{str(dtype).removeprefix('torch.'):>8} {tokens:>6} {width:>6} "
                f"{eager_s * 1e6:>9.1f} {kernel_s * 1e6:>9.1f} {eager_s / kernel_s:>5.2f}x"
            )


if __name__ == "__main__":
    main()
