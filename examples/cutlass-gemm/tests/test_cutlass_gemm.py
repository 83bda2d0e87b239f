import cutlass_gemm as kernel
import pytest
import torch
from cutlass_gemm import gemm

if not torch.cuda.is_available():
    pytest.skip("this kernel needs a CUDA device", allow_module_level=True)


def random_matrix(rows: int, columns: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, columns, generator=generator).to("cuda", torch.float16)


@pytest.mark.kernels_ci
@pytest.mark.parametrize(
    ("m", "n", "k"),
    [(1, 8, 8), (128, 128, 128), (17, 264, 72), (513, 1024, 520), (0, 8, 8), (4, 8, 0)],
)
def test_product(m, n, k):
    a, b = random_matrix(m, k, 0), random_matrix(k, n, 1)
    torch.testing.assert_close(gemm(a, b).double(), a.double() @ b.double(), rtol=2**-10, atol=1e-2)


@pytest.mark.kernels_ci
def test_views():
    a, b = random_matrix(64, 32, 0), random_matrix(48, 64, 1)
    torch.testing.assert_close(gemm(a.t(), b.t()), gemm(a.t().contiguous(), b.t().contiguous()))


@pytest.mark.kernels_ci
def test_op_registration():
    torch.library.opcheck(
        kernel.ops.gemm.default, (random_matrix(8, 16, 0), random_matrix(16, 8, 1))
    )


@pytest.mark.kernels_ci
@pytest.mark.parametrize(
    ("a", "b", "error"),
    [((8, 16), (8, 16), "want shapes"), ((8, 16), (16, 9), "multiples of 8")],
)
def test_refusals(a, b, error):
    with pytest.raises(RuntimeError, match=error):
        gemm(random_matrix(*a, 0), random_matrix(*b, 1))
