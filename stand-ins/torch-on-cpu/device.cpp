// In the place of libc10_xpu: one device, which is this machine's processor, with one queue. What is not here is not found when a
// kernel that calls it is loaded.

#include <c10/xpu/XPUFunctions.h>
#include <c10/xpu/XPUStream.h>

namespace c10::xpu {

static sycl::queue &the_queue() {
  // Tensors may live longer than static variables.
  static auto *queue = new sycl::queue(sycl::cpu_selector_v, sycl::property::queue::in_order());
  return *queue;
}

DeviceIndex device_count() { return 1; }
DeviceIndex device_count_ensure_non_zero() { return 1; }
DeviceIndex current_device() { return 0; }
void set_device(DeviceIndex) {}
DeviceIndex exchange_device(DeviceIndex) { return 0; }
DeviceIndex maybe_exchange_device(DeviceIndex) { return 0; }
DeviceIndex get_device_idx_from_pointer(void *) { return 0; }

sycl::device &get_raw_device(DeviceIndex) {
  static sycl::device device = the_queue().get_device();
  return device;
}

sycl::context &get_device_context() {
  static sycl::context context = the_queue().get_context();
  return context;
}

int XPUStream::priority() const { return 0; }
sycl::queue &XPUStream::queue() const { return the_queue(); }

XPUStream getCurrentXPUStream(DeviceIndex) { return XPUStream(Stream(Stream::DEFAULT, Device(DeviceType::XPU, 0))); }
XPUStream getStreamFromPool(const bool, DeviceIndex) { return getCurrentXPUStream(); }
XPUStream getStreamFromPool(const int, DeviceIndex) { return getCurrentXPUStream(); }
void setCurrentXPUStream(XPUStream) {}
void syncStreamsOnDevice(DeviceIndex) { the_queue().wait_and_throw(); }

} // namespace c10::xpu
