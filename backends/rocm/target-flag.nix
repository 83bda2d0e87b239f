# The parts of an option of clang that names targets, or null: whether it takes them away ("no-"), its name, and the
# targets. `hipcc` has the last of the names.
builtins.match "--?(no-)?(offload-arch|cuda-gpu-arch|amdgpu-target)=(.*)"
