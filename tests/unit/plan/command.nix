{ command, ... }:
let
  fillIn =
    packages:
    command.fillCommand { inherit packages; folders.torch = "/x"; };
  fill = fillIn [ "torch" ];
in
{
  fillCommand = {
    folders = [ (fill "@torch@/a:@torch@/b") "/x/a:/x/b" ];
    plain = [ (fill "-O3") "-O3" ];
    # A kernel's own, as in `-DVERSION=@version@`.
    otherNames = [ (fill "-DA=@version@ b@torch @@") "-DA=@version@ b@torch @@" ];
    packageThatIsNotThere = [ (builtins.tryEval (fillIn [ "hip" ] "@hip@/include")).success false ];
  };
}
