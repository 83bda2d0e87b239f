#ifdef __OBJC__
#import <Metal/Metal.h>

namespace EMBEDDED_METALLIB_NAMESPACE {

// Compiles the shaders; nil, and the reason in `error`, if this device cannot.
static inline id<MTLLibrary> createLibrary(id<MTLDevice> device, NSError **error = nullptr) {
  NSString *source = [[NSString alloc] initWithBytes:metallib_data
                                              length:sizeof metallib_data
                                            encoding:NSASCIIStringEncoding];
  MTLCompileOptions *options = [[MTLCompileOptions alloc] init];
  options.languageVersion = EMBEDDED_METALLIB_VERSION;
  id<MTLLibrary> library = [device newLibraryWithSource:source options:options error:error];
#if !__has_feature(objc_arc)
  [options release];
  [source release];
#endif
  return library;
}

}
#endif
