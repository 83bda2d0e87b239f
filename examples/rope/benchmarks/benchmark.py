"""Times rope against eager Torch: `kernels benchmark result`, or this file in a test shell.

Eager takes four products and two sums, each a pass over memory; the kernel takes one pass.
"""

import statistics
import time
from typing import Callable

import torch
from kernels.benchmark import Benchmark

HEADS, SIZE = 32, 128
REPETITIONS = 25


class Rope(Benchmark):
    """One token, and a prompt."""

    seed = 0

    def prepare(self, tokens: int) -> None:
        self.x = torch.randn(tokens, HEADS, SIZE, device=self.device)
        angles = torch.randn(tokens, SIZE // 2, device=self.device)
        self.cos, self.sin = angles.cos(), angles.sin()

    def run(self) -> None:
        self.out = self.kernel.rope(self.x, self.cos, self.sin)

    def eager(self) -> torch.Tensor:
        (a, b), cos, sin = self.x.chunk(2, dim=-1), self.cos[:, None], self.sin[:, None]
        return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)

    def setup_token(self) -> None:
        self.prepare(1)

    def setup_prompt(self) -> None:
        self.prepare(2048)

    benchmark_token = benchmark_prompt = run
    verify_token = verify_prompt = eager


def microseconds(run: Callable[[], object], device: str) -> float:
    """Return the median time of a call."""
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        run()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    import rope

    # A variant has the code of one backend.
    op = rope.add_op_namespace_prefix("rope")
    device = "cuda" if torch._C._dispatch_has_kernel_for_dispatch_key(op, "CUDA") else "cpu"
    print(f"Torch {torch.__version__}, {device}, {torch.get_num_threads()} CPU threads")
    for name in ("token", "prompt"):
        workload = Rope()
        workload.kernel, workload.device = rope, device
        getattr(workload, f"setup_{name}")()
        # A fast wrong answer is no benchmark.
        workload.run()
        torch.testing.assert_close(workload.out, workload.eager())
        eager = microseconds(workload.eager, device)
        kernel = microseconds(workload.run, device)
        print(f"{name}: eager {eager:.1f} us, kernel {kernel:.1f} us, {eager / kernel:.2f} x")


if __name__ == "__main__":
    main()
