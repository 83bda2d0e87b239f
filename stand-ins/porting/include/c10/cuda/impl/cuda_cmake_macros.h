// Torch for CPUs lacks this header, which a build for CUDA generates.
#pragma once
