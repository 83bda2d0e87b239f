{ config, ... }:
let
  inherit (config) edits;
  file = {
    general = {
      name = "relu";
      cuda-minver = "12.6";
    };
    torch = { };
  };
in
{
  applyEdits = {
    none = {
      expr = edits.applyEdits [ ] file;
      expected = file;
    };
    inOrder = {
      expr = edits.applyEdits [
        (edits.setKey [ "a" ] 1)
        (edits.moveKey [ "a" ] [ "b" "c" ])
        (edits.copyKey [ "b" ] [ "d" ])
        (edits.removeKey [ "b" "c" ])
      ] { };
      expected = {
        b = { };
        d.c = 1;
      };
    };
    leavesTheRest = {
      expr = edits.applyEdits [
        (edits.moveKey [ "general" "cuda-minver" ] [ "general" "cuda" "minver" ])
      ] file;
      expected = file // {
        general = {
          name = "relu";
          cuda.minver = "12.6";
        };
      };
    };
  };
  setKey.value = {
    expr = edits.applyEdits [ (edits.setKey [ "general" "name" ] "gelu") ] { general.name = "relu"; };
    expected.general.name = "gelu";
  };
  removeKey.table = {
    expr = edits.applyEdits [ (edits.removeKey [ "general" ]) ] file;
    expected.torch = { };
  };
  moveKey.renames = {
    expr = edits.applyEdits [ (edits.moveKey [ "torch" ] [ "torch-noarch" ]) ] { torch.pyext = [ ]; };
    expected.torch-noarch.pyext = [ ];
  };
  copyKey.keepsTheFirst = {
    expr = edits.applyEdits [ (edits.copyKey [ "a" ] [ "b" ]) ] { a = 1; };
    expected = {
      a = 1;
      b = 1;
    };
  };
}
