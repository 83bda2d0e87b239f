{ config, leftOutFiles, shape, ... }:
let
  ask =
    name: section:
    let
      config = shape.fillConfig { general = { inherit name; backends = [ "cpu" ]; }; torch-noarch = section; };
    in
    map
      (warning: [ warning.at warning.found warning.fix ])
      (leftOutFiles.listLeftOutFiles { root = ../kernels/with-data; inherit config; });
  folder = "torch-ext/with_data";
in
{
  listLeftOutFiles = {
    data = [
      (ask "with-data" { })
      [
        [
          "torch-noarch.pyext"
          "no ending of ${folder}/config.json, ${folder}/kernels/add.cubin, ${folder}/py.typed: a build leaves these files out"
          "write pyext = [\"py\", \"pyi\", \"json\", \"cubin\", \"typed\"], or move what nothing reads out of ${folder}"
        ]
      ]
    ];
    all = [ (ask "with-data" { pyext = [ "py" "json" "typed" "cubin" ]; }) [ ] ];
    siblings = [
      (
        let
          config = shape.fillConfig { general = { name = "beside"; backends = [ "cpu" ]; }; torch-noarch = { }; };
        in
        map (warning: [ warning.at warning.found ]) (leftOutFiles.listLeftOutFiles { root = ../kernels/beside; inherit config; })
      )
      [
        [ "torch-ext/helpers" "a folder with Python files beside torch-ext/beside: no variant contains it" ]
        [ "torch-ext/tables.py" "a Python file beside torch-ext/beside: no variant contains it" ]
      ]
    ];
    missingFolder = [ (ask "another" { }) [ ] ];
  };
}
