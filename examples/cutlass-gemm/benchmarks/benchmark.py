"""Times the product against `a @ b` and prints how many times faster it is.

`kernels benchmark` runs the workloads of the class, this file in a test shell the whole table.
"""

import statistics

import torch
from kernels.benchmark import Benchmark

SIZES = ((512, 512, 512), (2048, 2048, 2048), (8192, 1024, 4096))
REPETITIONS = 25


class Gemm(Benchmark):
    """A square product, and a long one."""

    seed = 0

    def prepare(self, m: int, n: int, k: int) -> None:
        # Small enough for sums that half precision can hold.
        self.a = torch.randn(m, k, device=self.device).div(k**0.5).half()
        self.b = torch.randn(k, n, device=self.device).half()

    def run(self) -> None:
        self.out = self.kernel.gemm(self.a, self.b)

    def eager(self) -> torch.Tensor:
        return self.a @ self.b

    def setup_square(self) -> None:
        self.prepare(2048, 2048, 2048)

    def setup_long(self) -> None:
        self.prepare(8192, 1024, 4096)

    benchmark_square = benchmark_long = run
    verify_square = verify_long = eager


def milliseconds(run) -> float:
    """Return the median of several calls, by the GPU's own clock."""
    run()
    times = []
    for _ in range(REPETITIONS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)


def main() -> None:
    import cutlass_gemm

    if not torch.cuda.is_available():
        raise SystemExit("this kernel needs a CUDA device")
    print(f"Torch {torch.__version__}, {torch.cuda.get_device_name()}, {REPETITIONS} repetitions")
    torch.manual_seed(0)
    for m, n, k in SIZES:
        a = torch.randn(m, k, device="cuda", dtype=torch.float16)
        b = torch.randn(k, n, device="cuda", dtype=torch.float16)
        eager = milliseconds(lambda a=a, b=b: a @ b)
        kernel = milliseconds(lambda a=a, b=b: cutlass_gemm.gemm(a, b))
        print(f"{m}x{n}x{k}: eager {eager:.3f} ms, kernel {kernel:.3f} ms, {eager / kernel:.2f}x")


if __name__ == "__main__":
    main()
