"""Times rmsnorm against eager Torch, forward and both ways; prints how many times faster it is.

`kernels benchmark` runs the workloads of the class, this file in a test shell the whole table.
"""

import statistics
import time
from functools import partial
from typing import Callable

import torch
import torch.nn.functional as F
from kernels.benchmark import Benchmark

DTYPES = (torch.bfloat16, torch.float32)
SHAPES = ((1, 4096), (64, 4096), (2048, 4096))
REPETITIONS = 25
EPS = 1e-6


class RmsNorm(Benchmark):
    """One token, and a prompt; a step of bfloat16 is more than the client lets results differ."""

    seed = 0

    def prepare(self, tokens: int) -> None:
        self.x = torch.randn(tokens, 4096, device=self.device)
        self.weight = torch.randn(4096, device=self.device)

    def run(self) -> None:
        self.out = self.kernel.rmsnorm(self.x, self.weight, EPS)

    def eager(self) -> torch.Tensor:
        return F.rms_norm(self.x, self.weight.shape, self.weight, EPS)

    def setup_token(self) -> None:
        self.prepare(1)

    def setup_prompt(self) -> None:
        self.prepare(2048)

    benchmark_token = benchmark_prompt = run
    verify_token = verify_prompt = eager


def pick_device(kernel) -> str:
    """A built kernel serves one kind of device; the op's dispatch table knows which."""
    op = kernel.add_op_namespace_prefix("rmsnorm")
    return "cuda" if torch._C._dispatch_has_kernel_for_dispatch_key(op, "CUDA") else "cpu"


def seconds(run: Callable[[], object], device: str) -> float:
    start = time.perf_counter()
    run()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


def compare(
    eager: Callable[[], object], kernel: Callable[[], object], device: str
) -> tuple[float, float]:
    """Median seconds of both, measured in turns so that a noisy moment hits both."""
    for run in (eager, kernel):
        seconds(run, device)
    times = [(seconds(eager, device), seconds(kernel, device)) for _ in range(REPETITIONS)]
    return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times)


def gradients(
    run: Callable[[], torch.Tensor], x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Go both ways."""
    return torch.autograd.grad(run(), (x, weight), grad)


def main() -> None:
    import rmsnorm

    device = pick_device(rmsnorm)
    print(f"Torch {torch.__version__}, {device}, {REPETITIONS} repetitions")
    print(f"{'dtype':>8} {'shape':>12} {'what':>9} {'eager us':>9} {'kernel us':>9} {'ratio':>6}")
    torch.manual_seed(0)
    for dtype in DTYPES:
        for shape in SHAPES:
            x = torch.randn(shape, device=device).to(dtype).requires_grad_()
            weight = torch.randn(shape[-1], device=device).to(dtype).requires_grad_()
            grad = torch.randn(shape, device=device).to(dtype)
            forward = {
                "eager": partial(F.rms_norm, x, (shape[-1],), weight, EPS),
                "kernel": partial(rmsnorm.rmsnorm, x, weight, EPS),
            }
            both = {name: partial(gradients, run, x, weight, grad) for name, run in forward.items()}
            for what, runs in (("forward", forward), ("both ways", both)):
                eager_s, kernel_s = compare(runs["eager"], runs["kernel"], device)
                print(
                    f"{str(dtype).removeprefix('torch.'):>8} {shape[0]:>6}x{shape[1]:<5} {what:>9} "
                    f"{eager_s * 1e6:>9.1f} {kernel_s * 1e6:>9.1f} {eager_s / kernel_s:>5.2f}x"
                )


if __name__ == "__main__":
    main()
