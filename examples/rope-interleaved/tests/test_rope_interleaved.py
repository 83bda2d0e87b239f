import pytest
import rope_interleaved as kernel
import torch
from rope_interleaved import rope


def operands(tokens: int, heads: int, size: int, dtype: torch.dtype = torch.float32):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(tokens, heads, size, generator=generator).to(dtype)
    angles = torch.randn(tokens, size // 2, generator=generator) * 10
    return x, angles.cos(), angles.sin()


def reference(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    points = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)))
    return torch.view_as_real(points * torch.complex(cos, sin)[:, None]).flatten(-2)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("shape", [(1, 1, 2), (5, 4, 34), (129, 33, 62), (0, 2, 8)])
def test_shapes(shape, dtype):
    x, cos, sin = operands(*shape, dtype)
    torch.testing.assert_close(rope(x, cos, sin), reference(x, cos, sin).to(dtype))


@pytest.mark.kernels_ci
def test_in_place():
    x, cos, sin = operands(5, 4, 70)
    expected = rope(x, cos, sin)
    assert rope(x, cos, sin, out=x) is x
    torch.testing.assert_close(x, expected, rtol=0, atol=0)


def test_op_registration():
    x, cos, sin = operands(3, 2, 8)
    torch.library.opcheck(kernel.ops.rope.default, (torch.empty_like(x), x, cos, sin))
