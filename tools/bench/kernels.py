"""The kernels that are built: a number of units that nobody has compiled yet.

A unit is as large as one of a small published kernel. A number in its code, the salt, is new in
every round, so that no store, no folder and no cache has its object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.evaluation import ROOT, SYSTEM

NAME = "parts"
HEADER = "parts/shared.h"
BINDING = "torch-ext/torch_binding.cpp"
# Every fourth unit includes the header.
WITH_HEADER = 4
# From so many on they have a precompiled header, unless flake.nix says otherwise.
WITH_PRECOMPILED = 8
CAPABILITIES = ("8.0", "9.0")
MORE_CAPABILITIES = (*CAPABILITIES, "12.0")
# With this kernel-builder, as a user's has the published one; `@builds@` are variants without
# their system.
FLAKE = """\
{
  inputs.kernel-builder.url = "git+file://@root@";
  outputs =
    { self, kernel-builder }:
    let
      inherit (builtins) concatStringsSep match;
      # The digits of major and minor version: a patch release of Torch is no variant of its own.
      number = version: concatStringsSep "" (match "([0-9]+)[.]([0-9]+).*" version);
      computeOf = row: if row ? cudaVersion then "cu${number row.cudaVersion}" else "cpu";
      buildOf = row: "torch${number row.torchVersion}-cxx11-${computeOf row}";
    in
    kernel-builder.lib.genKernelFlakeOutputs {
      inherit self;
      path = ./.;
      precompiledHeaders = @precompiled@;
      torchVersions =
        _:
        builtins.filter (
          row: builtins.elem (buildOf row) [ @builds@ ]
        ) kernel-builder.lib.torchVersions.fromRegistries;
    };
}
""".replace("@root@", str(ROOT))


@dataclass(frozen=True)
class Kind:
    """A kind of units; `@index@` in its texts stands for the unit's number."""

    title: str
    ending: str
    unit: str
    declaration: str
    schema: str


CPP = Kind(
    title="C++ units with Torch",
    ending="cpp",
    unit="""\
#include <torch/all.h>

at::Tensor part_@index@(const at::Tensor &input) {
  TORCH_CHECK(input.is_contiguous(), "part @index@ wants a contiguous tensor");
  at::Tensor output = torch::empty_like(input);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "part_@index@", [&] {
    auto const *source = input.const_data_ptr<scalar_t>();
    auto *target = output.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < input.numel(); ++i) {
      target[i] = source[i] > scalar_t(0) ? source[i] : source[i] * scalar_t(ADDEND + @index@);
    }
  });
  return output;
}
""",
    declaration="at::Tensor part_@index@(const at::Tensor &input);",
    schema="part_@index@(Tensor input) -> Tensor",
)
CUDA = Kind(
    title="CUDA units without Torch",
    ending="cu",
    unit="""\
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace {
__device__ float add(float number) { return number + ADDEND + @index@; }
__device__ __half add(__half number) { return __hadd(number, __float2half(ADDEND + @index@)); }

template <typename T, int kItems>
__global__ void part_kernel(T *numbers, int64_t count) {
  int64_t const first = (static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * kItems;
#pragma unroll
  for (int item = 0; item < kItems; ++item) {
    if (first + item < count) numbers[first + item] = add(numbers[first + item]);
  }
}

template <typename T, int kItems>
int64_t launch(int64_t numbers, int64_t count) {
  int64_t const blocks = (count + 256 * kItems - 1) / (256 * kItems);
  part_kernel<T, kItems><<<blocks, 256>>>(reinterpret_cast<T *>(numbers), count);
  return cudaGetLastError();
}
}  // namespace

int64_t part_@index@(int64_t numbers, int64_t count) {
  if (count % 8 == 0) return launch<__half, 8>(numbers, count);
  return count % 4 == 0 ? launch<float, 4>(numbers, count) : launch<float, 1>(numbers, count);
}
""",
    declaration="int64_t part_@index@(int64_t numbers, int64_t count);",
    schema="part_@index@(int numbers, int count) -> int",
)


@dataclass
class Kernel:
    """A kernel of `units` units; all its files are written to its `copies`, too."""

    folder: Path
    kind: Kind
    units: int
    variants: Sequence[str]
    copies: list[Path] = field(default_factory=list)
    capabilities: Sequence[str] = CAPABILITIES
    cxx_flags: Sequence[str] = ()
    # The value of precompiledHeaders in flake.nix.
    precompiled: str = "null"

    @property
    def sources(self) -> list[str]:
        """The units, without the binding."""
        return [f"parts/part_{index}.{self.kind.ending}" for index in range(self.units)]

    @property
    def has_precompiled(self) -> bool:
        """Whether a build makes a precompiled header of Torch for it."""
        begin_with_it = self.units - len(range(0, self.units, WITH_HEADER))
        return self.kind is CPP and begin_with_it >= WITH_PRECOMPILED

    @property
    def all_sources(self) -> list[str]:
        """All that is compiled."""
        return [*self.sources, BINDING]

    def write(self, name: str, text: str) -> None:
        """Write a file, here and in the copies."""
        for root in (self.folder, *self.copies):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def write_all(self, salt: str) -> None:
        """Write every file."""
        self.configure()
        self.write(f"torch-ext/{NAME}/__init__.py", "from ._ops import ops\n")
        self.write(BINDING, self._binding(salt))
        self.salt_header(salt)
        self.salt_units(salt, range(self.units))

    def configure(self) -> None:
        """Write flake.nix and build.toml, which say what is built."""
        builds = [variant.removesuffix(f"-{SYSTEM}") for variant in self.variants]
        flake = FLAKE.replace("@builds@", " ".join(map(json.dumps, builds)))
        self.write("flake.nix", flake.replace("@precompiled@", self.precompiled))
        backends = sorted({"cpu" if build.endswith("-cpu") else "cuda" for build in builds})
        general = {"name": NAME, "version": 1, "edition": 5, "license": "mit"}
        lines = ["[general]", *_keys({**general, "backends": backends}), ""]
        lines += ["[torch]", *_keys({"src": [BINDING]}), ""]
        for backend in backends:
            values = {"backend": backend, "depends": ["torch"], "src": [*self.sources, HEADER]}
            if self.kind is CUDA:
                values["cuda-capabilities"] = self.capabilities
            if self.cxx_flags:
                values["cxx-flags"] = self.cxx_flags
            lines += [f"[kernel.{NAME}_{backend}]", *_keys(values), ""]
        self.write("build.toml", "\n".join(lines))

    def salt_units(self, salt: str, indices: Iterable[int]) -> None:
        """Give units a text that nobody has compiled yet."""
        for index in indices:
            shared = '#include "shared.h"' if index % WITH_HEADER == 0 else "#define ADDEND 1"
            text = f"{shared}\n{self._of(self.kind.unit, index)}{_assert(salt)}"
            self.write(self.sources[index], text)

    def salt_header(self, salt: str) -> None:
        """Change the header that some units include."""
        text = f"#pragma once\n#define ADDEND 1\n{_assert(salt)}"
        self.write(HEADER, text)

    def _of(self, text: str, index: int) -> str:
        return text.replace("@index@", str(index))

    def _binding(self, salt: str) -> str:
        kind, every = self.kind, range(self.units)
        declared = "\n".join(self._of(kind.declaration, index) for index in every)
        defined = "\n".join(
            f'  ops.def("{self._of(kind.schema, index)}", &part_{index});' for index in every
        )
        return (
            f'#include <torch/library.h>\n\n#include "registration.h"\n\n{declared}\n\n'
            f"TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {{\n{defined}\n}}\n\n"
            f"REGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n{_assert(salt)}"
        )


def _assert(salt: str) -> str:
    """Return code that the compiler reads, and of which nothing is in the object."""
    return f'static_assert({salt or 1} > 0, "");\n'


def _keys(values: Mapping[str, object]) -> list[str]:
    """Return lines of TOML: strings, numbers and lists of strings are as in JSON."""
    return [f"{key} = {json.dumps(value)}" for key, value in values.items()]
