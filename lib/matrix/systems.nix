# The systems that kernels have variants for.
_: {
  /** All of them, sorted. */
  all = [
    "aarch64-darwin"
    "aarch64-linux"
    "x86_64-linux"
  ];

  /** Those that builds run on: on the others a kernel has its data and no `packages`. */
  building = [
    "aarch64-linux"
    "x86_64-linux"
  ];
}
