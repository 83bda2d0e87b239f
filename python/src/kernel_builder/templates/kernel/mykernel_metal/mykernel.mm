#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include <torch/mps.h>

#include "../torch-ext/torch_binding.h"

namespace {

NSString *const kSource = @R"(
#include <metal_stdlib>
kernel void add_one(device float *out [[buffer(0)]], device float const *input [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  out[i] = input[i] + 1.0f;
}
)";

// Compiled once in a process.
id<MTLComputePipelineState> pipeline(id<MTLDevice> device) {
  static id<MTLComputePipelineState> const state = [device] {
    NSError *error = nil;
    id<MTLLibrary> const library = [device newLibraryWithSource:kSource options:nil error:&error];
    TORCH_CHECK(library, "mykernel: ", error.localizedDescription.UTF8String);
    id<MTLFunction> const function = [library newFunctionWithName:@"add_one"];
    return [device newComputePipelineStateWithFunction:function error:&error];
  }();
  return state;
}

id<MTLBuffer> buffer_of(at::Tensor const &tensor) {
  return __builtin_bit_cast(id<MTLBuffer>, tensor.storage().data());
}

} // namespace

void mykernel(at::Tensor &out, at::Tensor const &input) {
  check_operands(out, input);
  auto const count = static_cast<NSUInteger>(input.numel());
  if (count == 0) {
    return;
  }
  @autoreleasepool {
    id<MTLCommandBuffer> const commands = torch::mps::get_command_buffer();
    dispatch_sync(torch::mps::get_dispatch_queue(), ^{
      id<MTLComputePipelineState> const state = pipeline(commands.device);
      id<MTLComputeCommandEncoder> const encoder = [commands computeCommandEncoder];
      [encoder setComputePipelineState:state];
      [encoder setBuffer:buffer_of(out) offset:out.storage_offset() * sizeof(float) atIndex:0];
      [encoder setBuffer:buffer_of(input) offset:input.storage_offset() * sizeof(float) atIndex:1];
      NSUInteger const threads = MIN(state.maxTotalThreadsPerThreadgroup, count);
      [encoder dispatchThreads:MTLSizeMake(count, 1, 1) threadsPerThreadgroup:MTLSizeMake(threads, 1, 1)];
      [encoder endEncoding];
      torch::mps::commit();
    });
  }
}
