"""The commands of this extra, by their names."""

from kernel_builder.publishing.status import status as status
