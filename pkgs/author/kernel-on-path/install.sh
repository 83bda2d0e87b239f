site=$out/lib/python3.11/site-packages
mkdir -p "$site"
# Sorted behind an editable install in a virtual environment, which then wins.
printf '%s\n' "$variant" >"$site/kernel_of_this_shell.pth"
