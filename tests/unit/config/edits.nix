{ edits, ... }:
let
  file = { general = { name = "relu"; cuda-minver = "12.6"; }; torch = { }; };
in
{
  applyEdits = {
    none = [ (edits.applyEdits [ ] file) file ];
    inOrder = [
      (edits.applyEdits [
        (edits.setKey [ "a" ] 1)
        (edits.moveKey [ "a" ] [ "b" "c" ])
        (edits.copyKey [ "b" ] [ "d" ])
        (edits.removeKey [ "b" "c" ])
      ] { })
      { b = { }; d.c = 1; }
    ];
    leavesTheRest = [
      (edits.applyEdits [ (edits.moveKey [ "general" "cuda-minver" ] [ "general" "cuda" "minver" ]) ] file)
      (file // { general = { name = "relu"; cuda.minver = "12.6"; }; })
    ];
  };
  valueAt.ofKeys = [ (edits.valueAt [ "general" "name" ] file) "relu" ];
  setKey.value = [
    (edits.applyEdits [ (edits.setKey [ "general" "name" ] "gelu") ] { general.name = "relu"; })
    { general.name = "gelu"; }
  ];
  removeKey.table = [ (edits.applyEdits [ (edits.removeKey [ "general" ]) ] file) { torch = { }; } ];
  moveKey.renames = [
    (edits.applyEdits [ (edits.moveKey [ "torch" ] [ "torch-noarch" ]) ] { torch.pyext = [ ]; })
    { torch-noarch.pyext = [ ]; }
  ];
  copyKey.keepsTheFirst = [ (edits.applyEdits [ (edits.copyKey [ "a" ] [ "b" ]) ] { a = 1; }) { a = 1; b = 1; } ];
}
