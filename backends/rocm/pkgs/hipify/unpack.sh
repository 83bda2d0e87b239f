# Unpacks the folder torch/utils/hipify of the wheel $source into $out.
mkdir "$out"
unzip -q "$source" 'torch/utils/hipify/*'
cp -r torch/utils/hipify "$out/hipify"
