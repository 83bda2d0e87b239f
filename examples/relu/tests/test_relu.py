import pytest
import relu
import torch

OP = relu.add_op_namespace_prefix("relu")
# A variant holds the code of one backend, whatever the machine has.
DEVICE = "cuda" if torch._C._dispatch_has_kernel_for_dispatch_key(OP, "CUDA") else "cpu"
DTYPES = (torch.float32, torch.float16, torch.bfloat16)

if DEVICE == "cuda" and not torch.cuda.is_available():
    pytest.skip("this variant needs a CUDA device", allow_module_level=True)


def random_tensor(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.randn(shape, generator=generator).to(DEVICE, dtype)


def assert_same(actual: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=0, equal_nan=True)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(), (0,), (1,), (7,), (3, 0, 2), (33, 65), (2, 3, 5, 7), (1 << 18 | 1,)]
)
def test_equals_eager(shape, dtype):
    x = random_tensor(*shape, dtype=dtype)
    assert_same(relu.relu(x), torch.relu(x))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_every_16_bit_number(dtype):
    """NaNs of both signs, infinities, subnormal numbers and both zeros are among them."""
    x = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int16).view(dtype).to(DEVICE)
    assert_same(relu.relu(x), torch.relu(x))


@pytest.mark.kernels_ci
def test_special_float32_numbers():
    tiny, huge = torch.finfo(torch.float32).smallest_normal, torch.finfo(torch.float32).max
    numbers = [0.0, tiny, tiny / 4, huge, float("inf"), float("nan")]
    x = torch.tensor(numbers + [-number for number in numbers], device=DEVICE)
    x = torch.cat([x, x[-1:].view(torch.int32).bitwise_or(-(1 << 31)).view(torch.float32)])
    assert_same(relu.relu(x), torch.relu(x))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("offset", range(9))
def test_unaligned_start_and_neighbours(offset, dtype):
    """Neither the vectors nor the rest after them may touch what lies next to the output."""
    x = random_tensor(200, dtype=dtype)[offset : offset + 101]
    frame = torch.full((200,), 7, dtype=dtype, device=DEVICE)
    relu.relu(x, out=frame[offset : offset + 101])
    assert_same(frame[offset : offset + 101], torch.relu(x))
    assert_same(frame[:offset], torch.full_like(frame[:offset], 7))
    assert_same(frame[offset + 101 :], torch.full_like(frame[offset + 101 :], 7))


LAYOUTS = {
    "contiguous": lambda x: x.contiguous(),
    "transposed": lambda x: x.transpose(0, 1).contiguous().transpose(0, 1),
    "every second row": lambda x: x.repeat_interleave(2, 0)[::2],
    "every second column": lambda x: x.repeat_interleave(2, 1)[:, ::2],
}


@pytest.mark.kernels_ci
@pytest.mark.parametrize("out_layout", LAYOUTS)
@pytest.mark.parametrize("x_layout", LAYOUTS)
def test_layouts(x_layout, out_layout):
    x = LAYOUTS[x_layout](random_tensor(17, 33))
    out = LAYOUTS[out_layout](torch.full((17, 33), 7.0, device=DEVICE))
    assert relu.relu(x, out=out) is out
    assert_same(out, torch.relu(x))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("layout", LAYOUTS)
def test_in_place(layout):
    x = LAYOUTS[layout](random_tensor(17, 33))
    expected = torch.relu(x)
    relu.relu(x, out=x)
    assert_same(x, expected)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_result_has_the_layout_of_eager(layout):
    x = LAYOUTS[layout](random_tensor(17, 33))
    assert relu.relu(x).stride() == torch.relu(x).stride()


def test_expanded_input():
    x = random_tensor(1, 33).expand(17, 33)
    assert_same(relu.relu(x), torch.relu(x))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", [torch.float64, torch.int32, torch.bool, torch.complex64])
def test_refuses_other_dtypes(dtype):
    with pytest.raises(TypeError, match="want float32, float16 or bfloat16"):
        relu.relu(torch.ones(3, device=DEVICE).to(dtype))


@pytest.mark.parametrize(
    ("make_out", "message"),
    [
        (lambda x: torch.empty(4, 2, device=DEVICE), "out has shape"),
        (lambda x: torch.empty(2, 3, device=DEVICE, dtype=torch.float16), "out is"),
        (lambda x: torch.empty(2, 3, device="meta"), "out is on meta"),
        (lambda x: torch.empty(1, 3, device=DEVICE).expand(2, 3), "single memory location"),
        (
            lambda x: x.view(-1).as_strided((2, 3), (3, 1), 1),
            "same memory|partially overlap|memory location",
        ),
    ],
    ids=["shape", "dtype", "device", "expanded", "overlapping"],
)
def test_refuses_output(make_out, message):
    x = random_tensor(3, 3)[:2]
    with pytest.raises(RuntimeError, match=message):
        relu.relu(x, out=make_out(x))


@pytest.mark.kernels_ci
def test_layer():
    x = random_tensor(5, 9)
    layer = relu.layers.ReLU()
    assert_same(layer(x), torch.relu(x))
    assert not layer.state_dict()
    own = {name for name in vars(relu.layers.ReLU) if not name.startswith("__")}
    assert own == {"can_torch_compile", "has_backward", "forward"}


@pytest.mark.kernels_ci
@pytest.mark.parametrize("callee", [relu.relu, relu.layers.ReLU()], ids=["function", "layer"])
def test_compiles_without_graph_breaks(callee):
    x = random_tensor(5, 9)
    compiled = torch.compile(lambda t: callee(t * 2) + 1, fullgraph=True, backend="aot_eager")
    assert_same(compiled(x), torch.relu(x * 2) + 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_op_registration(dtype):
    x = random_tensor(5, 9, dtype=dtype)
    torch.library.opcheck(relu.ops.relu.default, (torch.empty_like(x), x))


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two CUDA devices")
def test_device_that_is_not_the_current_one():
    x = random_tensor(1000).to("cuda:1")
    with torch.cuda.device(0):
        assert_same(relu.relu(x), torch.relu(x))
