# The folder torch/utils/hipify of the wheel $source, in $out.
mkdir "$out"
unzip -q "$source" 'torch/utils/hipify/*'
cp -r torch/utils/hipify "$out/hipify"
