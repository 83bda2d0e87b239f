import mykernel
import pytest
import torch

# A variant has the code of one backend, whatever the machine has.
DEVICES = {"CUDA": "cuda", "XPU": "xpu", "MPS": "mps", "CPU": "cpu"}
OP = mykernel.add_op_namespace_prefix("mykernel")
DEVICE = next(
    device
    for key, device in DEVICES.items()
    if torch._C._dispatch_has_kernel_for_dispatch_key(OP, key)
)

if DEVICE != "cpu" and not torch.accelerator.is_available():
    pytest.skip(f"this variant needs a device of kind {DEVICE}", allow_module_level=True)


# The fast tests, which `nix run .#ci-test` runs.
@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (33, 65), (2, 3, 5, 7)])
def test_adds_one(shape):
    x = torch.randn(shape, device=DEVICE)
    torch.testing.assert_close(mykernel.mykernel(x), x + 1, rtol=0, atol=0)


@pytest.mark.kernels_ci
def test_in_place():
    x = torch.randn(17, 33, device=DEVICE)
    expected = x + 1
    assert mykernel.mykernel(x, out=x) is x
    torch.testing.assert_close(x, expected, rtol=0, atol=0)


@pytest.mark.kernels_ci
def test_refuses_other_dtypes():
    with pytest.raises(RuntimeError, match="want float32"):
        mykernel.mykernel(torch.ones(3, dtype=torch.float16, device=DEVICE))


def test_many_elements():
    x = torch.randn(1 << 20 | 1, device=DEVICE)
    torch.testing.assert_close(mykernel.mykernel(x), x + 1, rtol=0, atol=0)


def test_op_is_registered_as_it_should():
    x = torch.randn(5, 9, device=DEVICE)
    torch.library.opcheck(mykernel.ops.mykernel.default, (torch.empty_like(x), x))
