# Compiles the archive $out/lib/liblaunch-errors.a. Its functions are sections of their own, so that the link drops those that it
# does not need.
mkdir -p "$out/lib"
g++ -O2 -fPIC -std=c++17 -ffunction-sections -I "$shared" -isystem "$headers/include" -c "$source" -o launch-errors.o
# The shell has an `ar` of its own, which only reads.
"$toolchain/bin/ar" rcD "$out/lib/liblaunch-errors.a" launch-errors.o
