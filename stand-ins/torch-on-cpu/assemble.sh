# The files of $torch as links, with libraries for `xpu` on the processor.
mkdir -p "$out/$sitePackages/torch/lib"
for from in "$torch/$sitePackages"/* "$torch/$sitePackages"/torch/* "$torch/$sitePackages"/torch/lib/*; do
  to=$out/${from#"$torch"/}
  [ -e "$to" ] || ln -s "$from" "$to"
done
libraries=$out/$sitePackages/torch/lib
set -- -std=c++20 -O1 -shared -fPIC -w -isystem "$headers/include" -isystem "$sycl_headers/include" -L"$libraries" -L"$sycl/lib" \
  "-Wl,-rpath,$sycl/lib:\$ORIGIN" -Wl,--build-id=none
g++ "$@" "$device" -o "$libraries/libc10_xpu.so" -Wl,-soname,libc10_xpu.so -lc10 -lsycl
g++ "$@" "$tensors" -o "$libraries/libtorch_xpu.so" -Wl,-soname,libtorch_xpu.so -lc10_xpu -ltorch_cpu -lc10 -lsycl
sed "s|@opencl@|$opencl|; s|@version@|$version|" "$module" >"$out/$sitePackages/xpu_on_cpu.py"
mkdir "$out/$sitePackages/xpu_on_cpu-1.dist-info"
printf 'Metadata-Version: 2.1\nName: xpu-on-cpu\nVersion: 1\n' >"$out/$sitePackages/xpu_on_cpu-1.dist-info/METADATA"
printf '[torch.backends]\nxpu_on_cpu = xpu_on_cpu:start\n' >"$out/$sitePackages/xpu_on_cpu-1.dist-info/entry_points.txt"
echo 'import xpu_on_cpu' >"$out/$sitePackages/xpu_on_cpu.pth"
