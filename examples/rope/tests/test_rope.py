import pytest
import rope as kernel
import torch
from rope import rope

OP = kernel.add_op_namespace_prefix("rope")
# A variant holds the code of one backend, whatever the machine has.
DEVICE = "cuda" if torch._C._dispatch_has_kernel_for_dispatch_key(OP, "CUDA") else "cpu"
# One rounding of the exact result. What float32 loses on the way counts where two products cancel.
RELATIVE_ERROR = {torch.float32: 2.0**-23, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
LOST_IN_FLOAT32 = 2e-6
DTYPES = tuple(RELATIVE_ERROR)

if DEVICE == "cuda" and not torch.cuda.is_available():
    pytest.skip("this variant needs a GPU", allow_module_level=True)


def operands(tokens: int, heads: int, size: int, dtype: torch.dtype = torch.float32):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(tokens, heads, size, generator=generator)
    angles = torch.randn(tokens, size // 2, generator=generator) * 10
    return x.to(DEVICE, dtype), angles.cos().to(DEVICE), angles.sin().to(DEVICE)


def reference(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    (a, b), cos, sin = x.double().chunk(2, dim=-1), cos.double()[:, None], sin.double()[:, None]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


def assert_close_to_exact(actual: torch.Tensor, exact: torch.Tensor, dtype: torch.dtype) -> None:
    assert actual.dtype == dtype
    tolerances = {"rtol": RELATIVE_ERROR[dtype] * 1.01, "atol": LOST_IN_FLOAT32}
    torch.testing.assert_close(actual.double(), exact, **tolerances)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(1, 1, 2), (3, 2, 6), (5, 4, 34), (7, 3, 128), (0, 2, 8), (2, 0, 8), (2, 2, 0)]
)
def test_shapes(shape, dtype):
    x, cos, sin = operands(*shape, dtype)
    assert_close_to_exact(rope(x, cos, sin), reference(x, cos, sin), dtype)


@pytest.mark.kernels_ci
def test_work_shared_by_threads():
    x, cos, sin = operands(257, 33, 62)
    assert_close_to_exact(rope(x, cos, sin), reference(x, cos, sin), x.dtype)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
def test_in_place(dtype):
    x, cos, sin = operands(5, 4, 70, dtype)
    expected = rope(x, cos, sin)
    assert rope(x, cos, sin, out=x) is x
    torch.testing.assert_close(x, expected, rtol=0, atol=0)


@pytest.mark.kernels_ci
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x, cos, sin: (x[0], cos, sin), "want x of tokens"),
        (lambda x, cos, sin: (x[..., :7].contiguous(), cos, sin), "even number"),
        (lambda x, cos, sin: (x, cos[:, :3], sin), "half of a head"),
        (lambda x, cos, sin: (x, cos, sin[:2]), "half of a head"),
        (lambda x, cos, sin: (x, cos.double(), sin), "cos and sin in float32"),
        (lambda x, cos, sin: (x, cos.t().contiguous().t(), sin), "contiguous"),
        (lambda x, cos, sin: (x, cos, sin, x.half()), "out is not like x"),
        (lambda x, cos, sin: (x, cos, sin, x[:2]), "out is not like x"),
        (lambda x, cos, sin: (x.double(), cos, sin), "want float32, float16 or bfloat16, found"),
    ],
)
def test_refuses(change, message):
    with pytest.raises(RuntimeError, match=message):
        rope(*change(*operands(4, 2, 8)))


def test_compiles_without_graph_breaks():
    x, cos, sin = operands(5, 4, 8)
    compiled = torch.compile(
        lambda x: rope(x * 2, cos, sin) + 1, fullgraph=True, backend="aot_eager"
    )
    torch.testing.assert_close(compiled(x), rope(x * 2, cos, sin) + 1, rtol=0, atol=0)


def test_op_registration():
    x, cos, sin = operands(3, 2, 8)
    torch.library.opcheck(kernel.ops.rope.default, (torch.empty_like(x), x, cos, sin))
