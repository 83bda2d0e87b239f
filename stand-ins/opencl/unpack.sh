# Puts the libraries of $wheels into $out/lib.
mkdir -p "$out/lib"
for wheel in $wheels; do
  mkdir wheel
  unzip -q "$wheel" -d wheel
  cp -dR wheel/*.data/data/lib/. "$out/lib/"
  rm -rf wheel
done
