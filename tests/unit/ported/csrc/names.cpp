static auto registry = torch::RegisterOperators().op("ported::add", &add);
TORCH_LIBRARY(ported, m) {}
  TORCH_LIBRARY_IMPL(ported, CPU, m) {}
STABLE_TORCH_LIBRARY_FRAGMENT(ported, m) {}
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m) {}
TORCH_LIBRARY(TORCH_EXTENSION_NAME, m) {}
TORCH_LIBRARY_IMPL( TORCH_EXTENSION_NAME, CPU, m) {}
TORCH_LIBRARY_IMPL(aten, CPU, m) {}
#pragma omp parallel for
