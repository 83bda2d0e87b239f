{ command, ... }:
let
  fill = command.fillIn {
    packages = [
      "torch"
      "hip"
    ];
    folders.torch = "/x";
  };
in
{
  fillIn = {
    folders = {
      expr = fill "@torch@/a:@torch@/b";
      expected = "/x/a:/x/b";
    };
    plain = {
      expr = fill "-O3";
      expected = "-O3";
    };
    # A kernel's own, as in `-DVERSION=@version@`.
    otherNames = {
      expr = fill "-DA=@version@ b@torch @@";
      expected = "-DA=@version@ b@torch @@";
    };
    packageThatIsNotThere = {
      expr = (builtins.tryEval (fill "@hip@/include")).success;
      expected = false;
    };
  };
}
