// In the place of libtorch_xpu: tensors of the device `xpu`, which are in main memory. Operators of Torch are computed as for the
// processor.

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/detail/XPUHooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/alloc_cpu.h>
#include <c10/xpu/XPUStream.h>
#include <torch/csrc/inductor/aoti_torch/c/shim_xpu.h>
#include <torch/library.h>

namespace {

using at::Tensor;
c10::Device const device(c10::DeviceType::XPU, 0);

struct Guard final : c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::XPU> {
  c10::Device exchangeDevice(c10::Device) const override { return device; }
  c10::Device getDevice() const override { return device; }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  c10::Stream getStream(c10::Device) const noexcept override { return c10::xpu::getCurrentXPUStream(); }
  c10::Stream getDefaultStream(c10::Device) const override { return c10::xpu::getCurrentXPUStream(); }
  c10::Stream exchangeStream(c10::Stream) const noexcept override { return c10::xpu::getCurrentXPUStream(); }
  void synchronizeDevice(c10::DeviceIndex) const override { c10::xpu::syncStreamsOnDevice(); }
};
C10_REGISTER_GUARD_IMPL(XPU, Guard);

struct XPUHooks final : at::XPUHooksInterface {
  bool hasXPU() const override { return true; }
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex getNumGPUs() const override { return 1; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  c10::DeviceIndex current_device() const override { return 0; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  void deviceSynchronize(c10::DeviceIndex) const override { c10::xpu::syncStreamsOnDevice(); }
};
using at::RegistererXPUHooksRegistry;
using at::XPUHooksRegistry;
REGISTER_XPU_HOOKS(XPUHooks);

// Torch's own allocator gives memory back in the order of the stream: a kernel may still use it.
void release(void *data) {
  c10::xpu::syncStreamsOnDevice();
  c10::free_cpu(data);
}

struct Allocator final : c10::Allocator {
  c10::DataPtr allocate(size_t size) override {
    void *data = c10::alloc_cpu(size);
    return {data, data, &release, device};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void *to, void const *from, size_t size) const override { default_copy_data(to, from, size); }
} allocator;
REGISTER_ALLOCATOR(c10::DeviceType::XPU, &allocator);

constexpr c10::DispatchKeySet keys(c10::DispatchKey::XPU);

Tensor empty(c10::IntArrayRef size, std::optional<at::ScalarType> type, std::optional<at::Layout>, std::optional<at::Device>,
             std::optional<bool>, std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(size, &allocator, keys, c10::dtype_or_default(type), format);
}

Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<at::ScalarType> type, std::optional<at::Layout>,
                     std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(size, stride, &allocator, keys, c10::dtype_or_default(type));
}

// The same memory as a tensor of the processor.
Tensor on_cpu(Tensor const &tensor) {
  return tensor.is_cpu() ? tensor
                         : at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU));
}

Tensor &copy_(Tensor &self, Tensor const &source, bool) {
  c10::xpu::syncStreamsOnDevice();
  on_cpu(self).copy_(on_cpu(source));
  return self;
}

Tensor copy_from(Tensor const &source, Tensor const &target, bool) {
  Tensor self = target;
  return copy_(self, source, false);
}

Tensor copy_from_and_resize(Tensor const &source, Tensor const &target) {
  Tensor self = target;
  self.resize_(source.sizes());
  return copy_(self, source, false);
}

Tensor const &resize_(Tensor const &self, c10::IntArrayRef size, std::optional<at::MemoryFormat>) {
  at::native::resize_impl_cpu_(self.unsafeGetTensorImpl(), size, std::nullopt);
  return self;
}

TORCH_LIBRARY_IMPL(aten, XPU, library) {
  library.impl("empty.memory_format", empty);
  library.impl("empty_strided", empty_strided);
  library.impl("copy_", copy_);
  library.impl("_copy_from", copy_from);
  library.impl("_copy_from_and_resize", copy_from_and_resize);
  library.impl("resize_", resize_);
  library.impl("as_strided", at::native::as_strided_tensorimpl);
  library.impl("view", at::native::view);
  library.impl("_reshape_alias", at::native::_reshape_alias);
  library.impl("set_.source_Storage_storage_offset", at::native::set_storage_cpu_);
}

void compute_on_cpu(c10::OperatorHandle const &operation, torch::jit::Stack *stack) { at::native::cpu_fallback(operation, stack); }

TORCH_LIBRARY_IMPL(_, XPU, library) { library.fallback(torch::CppFunction::makeFromBoxedFunction<&compute_on_cpu>()); }

} // namespace

// The functions of the stable ABI that tell a kernel where to run.
extern "C" {

AOTITorchError aoti_torch_get_current_xpu_stream(int32_t, void **stream) {
  *stream = &c10::xpu::getCurrentXPUStream().queue();
  return AOTI_TORCH_SUCCESS;
}

AOTITorchError aoti_torch_get_current_xpu_device(int32_t *index) {
  *index = 0;
  return AOTI_TORCH_SUCCESS;
}

AOTITorchError aoti_torch_set_current_xpu_device(int32_t const &) { return AOTI_TORCH_SUCCESS; }
}
