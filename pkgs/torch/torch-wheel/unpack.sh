# Headers go to $dev, all else to $out; Torch's own code looks for the headers inside
# its package, so a link stays there.
site=$out/$sitePackages
mkdir -p "$site" "$dev"
cd "$site"
unzip -q "$source" -x 'torch/test/*' 'torch/bin/test_*'
mv torch/include "$dev/include"
ln -s "$dev/include" torch/include
