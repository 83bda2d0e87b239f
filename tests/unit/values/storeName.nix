{ storeName, ... }:
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
    localVersionStays = {
      expr = storeName.sanitize "torch-2.13.0+cpu-cp311.whl";
      expected = "torch-2.13.0+cpu-cp311.whl";
    };
  };
}
