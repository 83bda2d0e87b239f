"""Times the product against `a @ b` and prints how many times faster it is."""

import statistics

import cutlass_gemm
import torch

SIZES = ((512, 512, 512), (2048, 2048, 2048), (8192, 1024, 4096))
REPETITIONS = 25


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
