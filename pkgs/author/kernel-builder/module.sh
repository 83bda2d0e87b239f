# The command line's module as an installed package: a link, so that it finds the repository
# that it is part of.
site=$out/lib/python3.11/site-packages
about=$site/kernel_builder-0.dist-info
mkdir -p "$about"
ln -s "$repository/python/src/kernel_builder" "$site/kernel_builder"
printf '[console_scripts]\nkernel-builder = kernel_builder.__main__:main\n' >"$about/entry_points.txt"
