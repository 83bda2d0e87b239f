#include <torch/library.h>
#import <Foundation/Foundation.h>
#include EMBEDDED_METALLIB_HEADER
