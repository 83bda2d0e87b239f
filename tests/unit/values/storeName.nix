{ storeName, ... }:
{
  sanitize = {
    debian = [ (storeName.sanitize "libssl3_3.0.20-1~deb12u2_amd64.deb") "libssl3_3.0.20-1_deb12u2_amd64.deb" ];
    epochAndFolder = [ (storeName.sanitize "a:b/c d") "a_b_c_d" ];
    # Names that differ only in the part that is cut out.
    tooLong =
      let
        long = storeName.sanitize (dots 100 + "a" + dots 150);
        dots = count: builtins.concatStringsSep "" (builtins.genList (_: ".") count);
      in
      [
        [
          (builtins.stringLength long <= 170)
          (long == storeName.sanitize (dots 101 + "b" + dots 149))
          (storeName.sanitize (dots 170) == dots 170)
        ]
        [ true false true ]
      ];
    localVersionStays = [ (storeName.sanitize "torch-2.13.0+cpu-cp311.whl") "torch-2.13.0+cpu-cp311.whl" ];
  };
}
