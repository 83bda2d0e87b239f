import math

import pytest
import silu_and_mul as kernel
import torch
import torch.nn.functional as F
from silu_and_mul import silu_and_mul

OP = kernel.add_op_namespace_prefix("silu_and_mul")
# A variant holds the code of one backend, whatever the machine has.
DEVICE = "xpu" if torch._C._dispatch_has_kernel_for_dispatch_key(OP, "XPU") else "cpu"
# One rounding of the exact result, plus what float32 loses on the way. Eager bfloat16 rounds twice
# and is not as close.
RELATIVE_ERROR = {
    torch.float32: 2.0**-21.5,
    torch.bfloat16: 2.0**-8 * 1.01,
    torch.float64: 2.0**-50,
}
DTYPES = tuple(RELATIVE_ERROR)

if DEVICE == "xpu" and not torch.xpu.is_available():
    pytest.skip("this variant needs an Intel GPU", allow_module_level=True)


def random_tensor(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    return (torch.randn(shape, generator=generator) * 5).to(DEVICE, dtype)


def reference(x: torch.Tensor) -> torch.Tensor:
    width = x.shape[-1] // 2
    return F.silu(x[..., :width]) * x[..., width:]


def assert_close_to_exact(actual: torch.Tensor, x: torch.Tensor) -> None:
    assert actual.dtype == x.dtype
    exact = reference(x.double())
    torch.testing.assert_close(
        actual.double(), exact, rtol=RELATIVE_ERROR[x.dtype], atol=1e-30, equal_nan=True
    )


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(2,), (14,), (0,), (4, 0), (0, 6), (1, 2), (3, 34), (2, 3, 5, 66), (7, 2050)]
)
def test_shapes(shape, dtype):
    x = random_tensor(*shape, dtype=dtype)
    result = silu_and_mul(x)
    assert result.is_contiguous()
    assert_close_to_exact(result, x)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 2 * 50_001), (5_003, 2 * 7), (1, 2 * 200_003)])
def test_work_shared_by_threads(shape, dtype):
    """Threads start and stop in the middle of rows."""
    x = random_tensor(*shape, dtype=dtype)
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        assert_close_to_exact(silu_and_mul(x), x)
    finally:
        torch.set_num_threads(threads)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[:, 3:25],
        lambda x: x[::2],
        lambda x: x.t(),
        lambda x: x[:, ::2],
        lambda x: x[:1].expand(9, 40),
        lambda x: x.view(4, 5, 40).transpose(0, 1),
    ],
    ids=[
        "part of each row",
        "every second row",
        "transposed",
        "every second column",
        "expanded",
        "permuted rows",
    ],
)
def test_layouts(view, dtype):
    x = view(random_tensor(20, 40, dtype=dtype))
    assert_close_to_exact(silu_and_mul(x), x)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
def test_special_numbers_as_in_eager(dtype):
    numbers = [0.0, 1.0, 20.0, 100.0, 1e4, 1e38, math.inf, math.nan]
    numbers = torch.tensor(numbers + [-number for number in numbers], dtype=dtype, device=DEVICE)
    x = torch.cartesian_prod(numbers, numbers).t().reshape(1, -1)
    # The last bits are for the other tests. Here it is about which results are NaN, infinite, zero.
    torch.testing.assert_close(silu_and_mul(x), reference(x), equal_nan=True)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("up", [1.0, -0.75])
def test_every_bfloat16_gate(up):
    gate = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int16).view(torch.bfloat16).to(DEVICE)
    x = torch.cat([gate, torch.full_like(gate, up)])
    assert_close_to_exact(silu_and_mul(x), x)


@pytest.mark.kernels_ci
def test_many_float32_gates():
    gate = torch.linspace(-80, 80, 400_001, device=DEVICE)
    x = torch.cat([gate, torch.ones_like(gate)])
    assert_close_to_exact(silu_and_mul(x), x)


@pytest.mark.kernels_ci
def test_bfloat16_ties_go_to_even():
    """silu of such a gate is the gate, many products are halfway between two bfloat16 numbers."""
    x = (
        torch.cartesian_prod(torch.arange(64.0, 128.0), torch.arange(129.0, 256.0))
        .t()
        .reshape(1, -1)
        .to(DEVICE)
    )
    gate, up = x.chunk(2, dim=-1)
    torch.testing.assert_close(silu_and_mul(x.bfloat16()), (gate * up).bfloat16(), rtol=0, atol=0)


@pytest.mark.parametrize("length", range(1, 70))
def test_every_remainder_of_a_vector(length):
    """What is left over after whole vectors takes other code than the vectors."""
    x = random_tensor(2 * length, dtype=torch.bfloat16)
    assert_close_to_exact(silu_and_mul(x), x)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(), (3,), (2, 5)])
def test_refuses_odd_last_dimension(shape):
    with pytest.raises(RuntimeError, match="want a last dimension of even size"):
        silu_and_mul(torch.ones(shape, device=DEVICE))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", [torch.float16, torch.int32, torch.bool, torch.complex64])
@pytest.mark.parametrize("shape", [(2, 4), (0, 4)])
def test_refuses_other_dtypes(shape, dtype):
    with pytest.raises(TypeError, match="want float32, bfloat16 or float64"):
        silu_and_mul(torch.ones(shape, dtype=dtype, device=DEVICE))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_refuses_other_devices():
    with pytest.raises(NotImplementedError, match="CUDA"):
        silu_and_mul(torch.ones(2, 4, device="cuda"))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4,), (2, 3, 8), (0, 4)])
def test_op_registration(shape, dtype):
    torch.library.opcheck(kernel.ops.silu_and_mul.default, (random_tensor(*shape, dtype=dtype),))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dynamic", [False, True])
def test_compiles_without_graph_breaks(dynamic):
    compiled = torch.compile(
        lambda x: silu_and_mul(x * 2) + 1, fullgraph=True, dynamic=dynamic, backend="aot_eager"
    )
    for tokens in (3, 5):
        x = random_tensor(tokens, 16)
        torch.testing.assert_close(compiled(x), silu_and_mul(x * 2) + 1, rtol=0, atol=0)


def test_fake_refuses_odd_last_dimension():
    with pytest.raises(RuntimeError, match="want a last dimension of even size"):
        silu_and_mul(torch.ones(2, 5, device="meta"))
