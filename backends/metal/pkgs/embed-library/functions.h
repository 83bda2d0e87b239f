#ifdef __OBJC__
#import <Metal/Metal.h>
#include <dispatch/dispatch.h>

namespace EMBEDDED_METALLIB_NAMESPACE {

// Loads the shaders; nil, and the reason in `error`, if this device cannot.
static inline id<MTLLibrary> createLibrary(id<MTLDevice> device, NSError **error = nullptr) {
  // The bytes live as long as the process: there is nothing to free.
  dispatch_data_t bytes = dispatch_data_create(metallib_data, sizeof metallib_data, nullptr, ^{
                                               });
  return [device newLibraryWithData:bytes error:error];
}

}
#endif
