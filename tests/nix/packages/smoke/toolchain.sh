g++ -std=gnu++20 -O2 -Wall -Werror -fopenmp "$source" -o program \
  -Wl,--dynamic-linker="$runtime/lib/$loader" -Wl,--disable-new-dtags -Wl,-rpath,"$runtime/lib"
[ "$(./program)" = 2 ]
echo 'int main(void) { return 0; }' >program.c
gcc program.c -o program-c
readelf -h program-c >/dev/null
[ "$(bash -c 'echo ${BASH_VERSINFO[0]}')" = 5 ]
echo passed >"$out"
