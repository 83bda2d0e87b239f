"""The commands of this extra, by their names."""

from kernel_builder.authoring.completion import completions as completions
from kernel_builder.authoring.init import init as init
from kernel_builder.authoring.test_packages import add_test_package as add_test_package
from kernel_builder.authoring.update_build import update_build as update_build
