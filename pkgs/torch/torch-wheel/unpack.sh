# Unpacks $source into $out, without tests. Torch's own code looks for the headers inside its package, so a link leads to
# $headers.
site=$out/$sitePackages
mkdir -p "$site"
cd "$site"
unzip -q "$source" -x 'torch/test/*' 'torch/bin/test_*' 'torch/include/*'
ln -s "$headers/include" torch/include
