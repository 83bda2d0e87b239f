"""The commands of this extra, by their names."""

from kernel_builder.publishing.benchmark import benchmark as benchmark
from kernel_builder.publishing.status import status as status
from kernel_builder.publishing.update_lock import update_lock as update_lock
from kernel_builder.publishing.uploading import build_and_upload as build_and_upload
from kernel_builder.publishing.uploading import upload as upload
