import os

import pytest
import torch

# Without a GPU, Triton's interpreter shows at least that the numbers are right.
HAS_DEVICE = torch.accelerator.is_available()
DEVICE = torch.accelerator.current_accelerator() if HAS_DEVICE else torch.device("cpu")
if not HAS_DEVICE:
    os.environ["TRITON_INTERPRET"] = "1"

import mykernel  # noqa: E402  (Triton reads the variable when a kernel is defined)


# The fast tests, which `nix run .#ci-test` runs.
@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (33, 65), (2, 3, 5, 7)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_adds_one(shape, dtype):
    x = torch.randn(shape).to(DEVICE, dtype)
    torch.testing.assert_close(mykernel.mykernel(x), x + 1)


@pytest.mark.kernels_ci
def test_in_place():
    x = torch.randn(17, 33).to(DEVICE)
    expected = x + 1
    assert mykernel.mykernel(x, out=x) is x
    torch.testing.assert_close(x, expected)


@pytest.mark.kernels_ci
def test_refuses_strides():
    with pytest.raises(ValueError, match="contiguous"):
        mykernel.mykernel(torch.ones(4, 4, device=DEVICE)[::2, ::2])


@pytest.mark.skipif(not HAS_DEVICE, reason="the interpreter is slow")
def test_many_elements():
    x = torch.randn(1 << 20 | 1, device=DEVICE)
    torch.testing.assert_close(mykernel.mykernel(x), x + 1)
