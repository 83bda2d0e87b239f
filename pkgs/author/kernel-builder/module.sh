# The command line's module as an installed package: a link, so that it finds the repository
# that it is part of.
site=$out/lib/python3.11/site-packages
mkdir -p "$site"
ln -s "$repository/python/src/kernel_builder" "$site/kernel_builder"
