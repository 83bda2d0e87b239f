"""The commands of this extra, by their names."""

from kernel_builder.publishing.benchmark import benchmark as benchmark
