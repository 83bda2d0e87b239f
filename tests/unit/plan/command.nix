{ plan, ... }:
let
  inherit (plan) command;
  fillIn =
    packages:
    command.fillCommand {
      inherit packages;
      folders.torch = "/x";
    };
  fill = fillIn [ "torch" ];
in
{
  fillCommand = {
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
      expr = (builtins.tryEval (fillIn [ "hip" ] "@hip@/include")).success;
      expected = false;
    };
  };
}
