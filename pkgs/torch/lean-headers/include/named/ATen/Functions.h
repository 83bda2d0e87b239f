// The operators that the kernel's text names. The build writes their list.
#pragma once
#include <ATen/Context.h>
#include <ATen/ops/tensor.h>
#include <kernel_builder_named_operators.h>
