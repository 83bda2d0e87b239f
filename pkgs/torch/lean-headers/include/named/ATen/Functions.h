// Of the operators those that the kernel's text names: the build writes their list.
#pragma once
#include <ATen/Context.h>
#include <ATen/ops/tensor.h>
#include <kernel_builder_named_operators.h>
