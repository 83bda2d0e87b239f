#import <Foundation/Foundation.h>
#include <torch/library.h>
