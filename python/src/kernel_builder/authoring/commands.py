"""The commands of this extra, by their names."""

from kernel_builder.authoring.check_builds import check_abi as check_abi
from kernel_builder.authoring.check_builds import check_builds as check_builds
from kernel_builder.authoring.completion import completions as completions
from kernel_builder.authoring.generate import clean_pyproject as clean_pyproject
from kernel_builder.authoring.generate import create_pyproject as create_pyproject
from kernel_builder.authoring.generate import fill_card as fill_card
from kernel_builder.authoring.init import init as init
from kernel_builder.authoring.schema import schema as schema
from kernel_builder.authoring.shells import devshell as devshell
from kernel_builder.authoring.shells import testshell as testshell
from kernel_builder.authoring.test_packages import add_test_package as add_test_package
from kernel_builder.authoring.update_build import update_build as update_build
