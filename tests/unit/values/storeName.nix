{ values, ... }:
let
  inherit (values) storeName;
in
{
  sanitize = {
    debian = {
      expr = storeName.sanitize "libssl3_3.0.20-1~deb12u2_amd64.deb";
      expected = "libssl3_3.0.20-1_deb12u2_amd64.deb";
    };
    epochAndFolder = {
      expr = storeName.sanitize "a:b/c d";
      expected = "a_b_c_d";
    };
    # Names that differ only in the part that is cut out.
    tooLong =
      let
        long = storeName.sanitize (dots 100 + "a" + dots 150);
        dots = count: builtins.concatStringsSep "" (builtins.genList (_: ".") count);
      in
      {
        expr = [
          (builtins.stringLength long <= 170)
          (long == storeName.sanitize (dots 101 + "b" + dots 149))
          (storeName.sanitize (dots 170) == dots 170)
        ];
        expected = [
          true
          false
          true
        ];
      };
    localVersionStays = {
      expr = storeName.sanitize "torch-2.13.0+cpu-cp311.whl";
      expected = "torch-2.13.0+cpu-cp311.whl";
    };
  };
}
