# Unpacks the headers of $source into $out.
mkdir "$out"
cd "$out"
unzip -q "$source" 'torch/include/*'
mv torch/include include
rmdir torch
