import capabilities as kernel
import pytest
import torch

if not torch.cuda.is_available():
    pytest.skip("this kernel needs a CUDA device", allow_module_level=True)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 257)])
def test_scale(shape):
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0)).cuda()
    torch.testing.assert_close(kernel.scale(x, 0.5), x * 0.5, rtol=0, atol=0)


@pytest.mark.kernels_ci
def test_the_code_for_hopper_is_used_there_only():
    x = torch.ones(1, device="cuda")
    assert kernel.uses_hopper(x) == (torch.cuda.get_device_capability() == (9, 0))


@pytest.mark.kernels_ci
def test_op_registration():
    torch.library.opcheck(kernel.ops.scale.default, (torch.ones(4, device="cuda"), 2.0))
