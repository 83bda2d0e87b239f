site=$out/$sitePackages
mkdir -p "$site"
# The name sorts after that of an editable install in a virtual environment, which therefore comes first.
printf '%s\n' "$variant" >"$site/kernel_of_this_shell.pth"
