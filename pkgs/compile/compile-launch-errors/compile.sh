# Compiles $source to an archive, whose functions are sections of their own, so that the link drops those that it does not need.
mkdir -p "$out/lib"
cp "$source" launch-errors.cpp
cp "$header" launch_errors.h
# shellcheck disable=SC2086
g++ -O2 -fPIC -std=c++17 -ffunction-sections $flags -isystem "$headers/include" -c launch-errors.cpp -o launch-errors.o
# The shell has an `ar` of its own, which only reads.
"$toolchain/bin/ar" rcD "$out/lib/liblaunch-errors.a" launch-errors.o
