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
  apply = {
    none = {
      expr = edits.apply [ ] file;
      expected = file;
    };
    inOrder = {
      expr = edits.apply [
        (edits.set [ "a" ] 1)
        (edits.move [ "a" ] [ "b" "c" ])
        (edits.copy [ "b" ] [ "d" ])
        (edits.remove [ "b" "c" ])
      ] { };
      expected = {
        b = { };
        d.c = 1;
      };
    };
    leavesTheRest = {
      expr = edits.apply [
        (edits.move [ "general" "cuda-minver" ] [ "general" "cuda" "minver" ])
      ] file;
      expected = file // {
        general = {
          name = "relu";
          cuda.minver = "12.6";
        };
      };
    };
  };
  set.value = {
    expr = edits.apply [ (edits.set [ "general" "name" ] "gelu") ] { general.name = "relu"; };
    expected.general.name = "gelu";
  };
  remove.table = {
    expr = edits.apply [ (edits.remove [ "general" ]) ] file;
    expected.torch = { };
  };
  move.renames = {
    expr = edits.apply [ (edits.move [ "torch" ] [ "torch-noarch" ]) ] { torch.pyext = [ ]; };
    expected.torch-noarch.pyext = [ ];
  };
  copy.keepsTheFirst = {
    expr = edits.apply [ (edits.copy [ "a" ] [ "b" ]) ] { a = 1; };
    expected = {
      a = 1;
      b = 1;
    };
  };
}
