import axpy as kernel
import numpy
import pytest
import torch

SHAPES = [(), (0,), (1,), (3, 257)]
DEVICE = "cuda" if "_cuda_" in kernel._ops.torch_add_op_namespace_prefix("") else "cpu"

if DEVICE == "cuda" and not torch.cuda.is_available():
    pytest.skip("this variant needs a CUDA device", allow_module_level=True)


def random_tensor(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", SHAPES)
def test_tensors_of_torch(shape):
    x, y = random_tensor(*shape), random_tensor(*shape, seed=1)
    out = torch.full_like(x, 7)
    assert kernel.axpy(0.5, x, y, out) is out
    # A multiply-add may round once where two operations round twice.
    torch.testing.assert_close(out, 0.5 * x + y, rtol=2**-22, atol=2**-24)


@pytest.mark.kernels_ci
@pytest.mark.skipif(DEVICE != "cpu", reason="NumPy has arrays on the CPU only")
def test_arrays_of_numpy():
    x, y = numpy.arange(6, dtype=numpy.float32), numpy.ones(6, dtype=numpy.float32)
    out = numpy.zeros_like(x)
    kernel.axpy(2.0, x, y, out)
    numpy.testing.assert_array_equal(out, [1, 3, 5, 7, 9, 11])


@pytest.mark.kernels_ci
@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: torch.ones(4, device=DEVICE, dtype=torch.float64), TypeError, "want float32"),
        (lambda: torch.ones(5, device=DEVICE), ValueError, "different shapes"),
        (lambda: torch.ones(2, 2, device=DEVICE), ValueError, "different shapes"),
        (lambda: torch.ones(8, device=DEVICE)[::2], ValueError, "want contiguous"),
    ],
)
def test_what_is_refused(make, error, text):
    x = torch.ones(4, device=DEVICE)
    with pytest.raises(error, match=text):
        kernel.axpy(1.0, x, make(), torch.empty_like(x))


@pytest.mark.kernels_ci
@pytest.mark.skipif(DEVICE != "cuda", reason="streams are CUDA's")
def test_on_the_stream_of_torch():
    stream = torch.cuda.Stream()
    x = random_tensor(1 << 20)
    out = torch.empty_like(x)
    with torch.cuda.stream(stream):
        torch.cuda._sleep(10_000_000)
        y = x + 1
        kernel.axpy(1.0, x, y, out)
    stream.synchronize()
    torch.testing.assert_close(out, x + (x + 1))
