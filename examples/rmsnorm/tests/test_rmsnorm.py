import pytest
import rmsnorm as kernel
import torch
from rmsnorm import rmsnorm

OP = kernel.add_op_namespace_prefix("rmsnorm")
# A variant holds the code of one backend, whatever the machine has.
DEVICES = {"CUDA": "cuda", "XPU": "xpu", "CPU": "cpu"}
DEVICE = next(
    device
    for key, device in DEVICES.items()
    if torch._C._dispatch_has_kernel_for_dispatch_key(OP, key)
)
# What one rounding to the type may move a number by, and a little for the order of float32 sums.
RELATIVE_ERROR = {torch.float32: 2.0**-18, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
DTYPES = tuple(RELATIVE_ERROR)

if DEVICE != "cpu" and not torch.accelerator.is_available():
    pytest.skip(f"this variant needs a device of kind {DEVICE}", allow_module_level=True)


def random_tensor(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator).to(DEVICE, dtype)


def reference(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    """The definition, in float64."""
    x = x.double()
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight.double()


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1,), (7,), (3, 64), (2, 3, 1000), (513, 33), (0, 8)])
def test_forward(shape, dtype):
    x, weight = random_tensor(*shape, dtype=dtype), random_tensor(shape[-1], seed=1, dtype=dtype)
    result = rmsnorm(x, weight)
    assert (result.dtype, result.shape) == (dtype, x.shape)
    exact = reference(x, weight)
    torch.testing.assert_close(result.double(), exact, rtol=RELATIVE_ERROR[dtype], atol=1e-6)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5,), (4, 64), (300, 96), (1500, 8)])
def test_gradients(shape, dtype):
    x = random_tensor(*shape, dtype=dtype).requires_grad_()
    weight = random_tensor(shape[-1], seed=1, dtype=dtype).requires_grad_()
    grad = random_tensor(*shape, seed=2, dtype=dtype)
    rmsnorm(x, weight).backward(grad)

    exact_x, exact_weight = (each.detach().double().requires_grad_() for each in (x, weight))
    reference(exact_x, exact_weight).backward(grad.double())
    tolerance = {"rtol": 2 * RELATIVE_ERROR[dtype], "atol": 4 * RELATIVE_ERROR[dtype]}
    torch.testing.assert_close(x.grad.double(), exact_x.grad, **tolerance)
    torch.testing.assert_close(weight.grad.double(), exact_weight.grad, **tolerance)


@pytest.mark.kernels_ci
def test_gradients_are_the_same_each_time():
    x, weight = random_tensor(700, 130).requires_grad_(), random_tensor(130).requires_grad_()
    runs = [torch.autograd.grad(rmsnorm(x, weight).square().sum(), (x, weight)) for _ in range(2)]
    assert all(torch.equal(one, two) for one, two in zip(*runs))


@pytest.mark.kernels_ci
def test_views():
    x, weight = random_tensor(20, 40), random_tensor(20, seed=1)
    torch.testing.assert_close(rmsnorm(x.t(), weight), rmsnorm(x.t().contiguous(), weight))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dynamic", [False, True])
def test_compiles_without_graph_breaks(dynamic):
    def model(x, weight):
        return rmsnorm(x * 2, weight) + 1

    compiled = torch.compile(model, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    weight = random_tensor(16, seed=1).requires_grad_()
    for tokens in (3, 5):
        x = random_tensor(tokens, 16).requires_grad_()
        eager, traced = model(x, weight), compiled(x, weight)
        torch.testing.assert_close(traced, eager, rtol=0, atol=0)
        grads = [torch.autograd.grad(y.sum(), (x, weight)) for y in (eager, traced)]
        torch.testing.assert_close(grads[1], grads[0])


@pytest.mark.kernels_ci
def test_op_registration():
    x, weight = random_tensor(4, 8).requires_grad_(), random_tensor(8, seed=1).requires_grad_()
    torch.library.opcheck(kernel.ops.rmsnorm.default, (x, weight, 1e-6))


@pytest.mark.kernels_ci
def test_layer():
    layer = kernel.layers.RMSNorm()
    layer.weight, layer.variance_epsilon = random_tensor(12), 1e-5
    x = random_tensor(3, 12, seed=1)
    torch.testing.assert_close(layer(x), rmsnorm(x, layer.weight, 1e-5), rtol=0, atol=0)


@pytest.mark.kernels_ci
@pytest.mark.parametrize(
    ("x", "weight", "error"),
    [
        (lambda: random_tensor(2, 8), lambda: random_tensor(7), "want a weight of shape"),
        (lambda: random_tensor(2, 0), lambda: random_tensor(0), "not empty"),
        (lambda: random_tensor(2, 8), lambda: random_tensor(8, dtype=torch.half), "weight is Half"),
        (lambda: random_tensor(2, 8).int(), lambda: random_tensor(8).int(), "want float32"),
    ],
)
def test_refusals(x, weight, error):
    with pytest.raises((RuntimeError, TypeError), match=error):
        rmsnorm(x(), weight())
