import os

import pytest
import torch

# Without a GPU, Triton's interpreter shows at least that the numbers are right.
HAS_DEVICE = torch.accelerator.is_available()
DEVICE = torch.accelerator.current_accelerator() if HAS_DEVICE else torch.device("cpu")
if not HAS_DEVICE:
    os.environ["TRITON_INTERPRET"] = "1"

import softmax  # noqa: E402  (Triton reads the variable when a kernel is defined)

if not HAS_DEVICE:
    from softmax import rows

    def run_twice(launch, quantiles):
        """Stands in for a measurement, which needs a device."""
        launch()
        launch()
        return [1.0] * len(quantiles)

    rows._softmax_row.do_bench = run_twice

SHAPES = [(1,), (7,), (3, 1), (33, 65), (2, 3, 5, 7), (2, 1000)]


# The fast tests, which `nix run .#ci-test` runs.
@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_as_torch_has_it(shape, dtype):
    x = (10 * torch.randn(shape)).to(DEVICE, dtype)
    torch.testing.assert_close(softmax.softmax(x), torch.softmax(x, -1))


@pytest.mark.kernels_ci
def test_large_numbers_do_not_overflow():
    x = torch.tensor([[1e30, 1e30, -1e30]], device=DEVICE)
    torch.testing.assert_close(softmax.softmax(x), torch.softmax(x, -1))


@pytest.mark.kernels_ci
def test_no_rows():
    assert softmax.softmax(torch.empty(0, 5, device=DEVICE)).shape == (0, 5)


@pytest.mark.kernels_ci
def test_in_place():
    x = torch.randn(17, 33).to(DEVICE)
    expected = torch.softmax(x, -1)
    assert softmax.softmax(x, out=x) is x
    torch.testing.assert_close(x, expected)


@pytest.mark.kernels_ci
def test_layer():
    x = torch.randn(33, 17).to(DEVICE).T
    torch.testing.assert_close(softmax.layers.Softmax()(x), torch.softmax(x, -1))


@pytest.mark.kernels_ci
def test_refuses_strides():
    with pytest.raises(ValueError, match="contiguous"):
        softmax.softmax(torch.ones(4, 4, device=DEVICE)[:, ::2])


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(), (3, 0)])
def test_refuses_shapes(shape):
    with pytest.raises(ValueError, match="columns"):
        softmax.softmax(torch.ones(shape, device=DEVICE))


@pytest.mark.skipif(not HAS_DEVICE, reason="the interpreter is slow")
@pytest.mark.parametrize("columns", [128, 4096, softmax.MOST_COLUMNS])
def test_many_elements(columns):
    x = torch.randn(511, columns, device=DEVICE)
    torch.testing.assert_close(softmax.softmax(x), torch.softmax(x, -1))
