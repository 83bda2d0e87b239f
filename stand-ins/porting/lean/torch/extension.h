// Torch's header without the C++ neural network frontend, which is most of what it costs to parse.
#pragma once
#include <torch/all.h>
#include <torch/python.h>
