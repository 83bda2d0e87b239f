# `refuse`: The problems of a catalogue (lib/messages/catalogue.nix), each as a function that throws it. Its records have
# a `headline`, too: what could not be done.
{ lib }:
let
  inherit (lib.messages) catalogue check;
  throwOne = problem: check.throwProblem problem.headline (removeAttrs problem [ "headline" ]);
in
/** Type: refuse :: Path -> { ${name} :: AttrSet -> a; } */
file:
builtins.mapAttrs (_: problem: values: throwOne (problem values)) (catalogue.readCatalogue file)
