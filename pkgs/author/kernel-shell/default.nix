# A shell for working on a kernel. `nix develop` enters it, and so does `bin/enter` of `files`.
#
# One file, `activate`, sets up the shell; bash sources it. The derivation has the form that `nix develop` requires: a
# builder called bash, and a `stdenv` with a file `setup`.
{ bash, joinLines, lib, runStep, system, writeSettings }:
/**
  `environment` is made by `pythonWith`. The prompt shows `label`, and the shell exports `variables`. `hasVenv` says
  whether the shell has a virtual environment. `repository` is the kernel's name on the Hub, or null.
  `built` is its built variant, or null if the shell uses the kernel's own `build/`. `localKernels` is the value of
  LOCAL_KERNELS for other kernels. The shell prints `notice` on entry, unless it is empty.

  Type: kernelShell :: { kind, kernel, variant, label :: String; environment :: Package; tools :: [Package];
    variables :: { ${name} :: String; }; hasVenv :: Bool; repository :: String | Null; built :: Derivation | Null;
    localKernels :: String; notice :: String; } -> Derivation
*/
{
  kind,
  kernel,
  variant,
  label,
  environment,
  tools,
  variables,
  hasVenv,
  repository,
  built,
  localKernels,
  notice,
}:
let
  inherit (builtins) attrNames concatStringsSep;
  files = runStep {
    name = "${kind}-${kernel}-${variant}-files";
    script = ./install.sh;
    env = {
      inherit bash writeSettings;
      activate = ./activate.sh;
      enter = ./enter.sh;
      rc = ./rc.sh;
      # Null is an empty variable.
      inherit variant label environment repository built localKernels notice;
      makeVenv = if hasVenv then ./make-venv.sh else "";
      toolPath = concatStringsSep ":" (map (tool: "${tool}/bin") ([ environment ] ++ tools));
      # A line each.
      variables = joinLines (map (name: "${name}=${variables.${name}}") (attrNames variables));
    };
  };
in
derivation {
  name = "${kind}-${kernel}-${variant}";
  inherit system files;
  builder = "${bash}/bin/bash";
  args = [
    "-c"
    "echo \"$files\" >\"$out\""
  ];
  # The script that `nix develop` runs reads these.
  outputs = [ "out" ];
  PATH = "${bash}/bin";
  stdenv = lib.values.paths.alone ./stdenv;
  # The variables of the derivation have no use in the shell.
  shellHook = ''
    . ${files}/activate
    unset builder dontAddDisableDepTrack files name out outputs shellHook stdenv system
  '';
}
// {
  inherit files environment;
}
