{ ownWheel, ... }:
let
  file = "torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl";
  address = {
    url = "https://wheels.example/nightly/torch.whl";
    hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  };
  build = "2.16.0.dev20261101+cpu";
  fetched = address // { inherit build file; };
  systems = [ "x86_64-linux" ];
  check =
    wheel:
    map (problem: "${problem.at}: ${problem.want}") (ownWheel.checkWheel { at = "x"; inherit systems; } wheel);
  ats =
    wheel:
    map (problem: problem.at) (ownWheel.checkWheel { at = "x"; inherit systems; } wheel);
in
{
  checkWheel = {
    fetched = [ (check fetched) [ ] ];
    ofTheFlake = [ (check { inherit build; file = ../kernels/wheels + "/${file}"; }) [ ] ];
    # tests/eval-fail/tables/matrix.nix has the other ways to have none.
    noFile = [
      (map (file: ats { inherit build file; }) [ ../kernels/no-such-folder/torch.whl ../kernels/wheels ])
      [ [ "x.file" ] [ "x.file" ] ]
    ];
    hashWithoutAddress = [ (ats (removeAttrs fetched [ "url" ])) [ "x.url" ] ];
    otherAddresses = [
      (map (url: ats (fetched // { inherit url; })) [
        "http://wheels.example/torch.whl"
        "file:///torch.whl"
        "https://user:secret@wheels.example/torch.whl"
        "https://wheels.example/torch.whl?token=secret"
        "https://wheels.example/torch.whl\n"
      ])
      (map (_: [ "x.url" ]) [ 1 2 3 4 5 ])
    ];
    otherHashes = [
      (map (hash: ats (fetched // { inherit hash; })) [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        "sha256-"
        "sha512-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
      ])
      (map (_: [ "x.hash" ]) [ 1 2 3 ])
    ];
    otherNames = [
      (map (file: check (fetched // { inherit file; })) [
        "torchvision-2.16.0-cp311-cp311-linux_x86_64.whl"
        "torch-2.16.0-py3-none-linux_x86_64.whl"
        "torch-2.16.0-cp313-cp313t-linux_x86_64.whl"
        "../torch-2.16.0-cp311-cp311-linux_x86_64.whl"
        "torch-2.16.0.tar.gz"
      ])
      (map (_: [ "x.file: the name of a wheel of Torch: torch-VERSION-cp3N-ABI-PLATFORM.whl" ]) [ 1 2 3 4 5 ])
    ];
    otherBuilds = [
      (map (build: ats (fetched // { inherit build; })) [ "2.16.0" "nightly+cpu" "2.16.0+a/b" null ])
      (map (_: [ "x.build" ]) [ 1 2 3 4 ])
    ];
    ofSeveralSystems = [
      (map (problem: problem.at) (
        ownWheel.checkWheel { at = "x"; systems = [ "x86_64-linux" "aarch64-linux" ]; } fetched
      ))
      [ "x" ]
    ];
  };
  readWheel = {
    fetched = [
      (ownWheel.readWheel fetched)
      { inherit build; hosts = [ "wheels.example" ]; pin = address // { inherit file; }; }
    ];
    ofTheFlake = [
      (ownWheel.readWheel { inherit build; file = ../kernels/wheels + "/${file}"; })
      { inherit build; hosts = [ ]; pin = { inherit file; path = ../kernels/wheels + "/${file}"; }; }
    ];
  };
  makeWheels = {
    none = [ (ownWheel.makeWheels [ { system = "x86_64-linux"; } ]) { } ];
    bySystem = {
      expr = ownWheel.makeWheels (
        map
          (system: { inherit system; wheel = { inherit build; pin.file = system; }; })
          [ "x86_64-linux" "aarch64-linux" ]
      );
      expected.${build} = { aarch64-linux.file = "aarch64-linux"; x86_64-linux.file = "x86_64-linux"; };
    };
  };
}
