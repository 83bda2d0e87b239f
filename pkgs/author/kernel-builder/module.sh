# The command line as an installed Python package: a link, so that it finds the repository that it is part of.
site=$out/$sitePackages
mkdir -p "$site"
ln -s "$repository/python/src/kernel_builder" "$site/kernel_builder"
