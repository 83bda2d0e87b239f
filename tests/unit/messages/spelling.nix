{ messages, ... }:
let
  inherit (messages) spelling;
in
{
  countEdits = {
    same = {
      expr = spelling.countEdits "cuda" "cuda";
      expected = 0;
    };
    oneLetterMore = {
      expr = spelling.countEdits "cudaa" "cuda";
      expected = 1;
    };
    fromNothing = {
      expr = spelling.countEdits "" "cuda";
      expected = 4;
    };
    mixed = {
      expr = spelling.countEdits "kitten" "sitting";
      expected = 3;
    };
  };
  findClosest = {
    nearest = {
      expr = spelling.findClosest { candidates = [ "cpu" "cuda" "rocm" ]; } "cudda";
      expected = "cuda";
    };
    otherCase = {
      expr = map (spelling.findClosest { candidates = [ "cuda" "Release" ]; }) [ "CUDA" "RELAESE" ];
      expected = [
        "cuda"
        "Release"
      ];
    };
    nothingNear = {
      expr = spelling.findClosest { candidates = [ "cpu" "cuda" ]; } "vulkan";
      expected = null;
    };
    twoOfFourLetters = {
      expr = spelling.findClosest { candidates = [ "cuda" ]; } "caca";
      expected = "cuda";
    };
    threeOfNineLetters = {
      expr = map (spelling.findClosest { candidates = [ "toolchain" "backends" ]; }) [
        "tuulchein"
        "buckindz"
      ];
      expected = [
        "toolchain"
        null
      ];
    };
    shortWordsAreNotAlike = {
      expr = spelling.findClosest { candidates = [ "xpu" ]; } "abc";
      expected = null;
    };
    otherNumbersAreNotAlike = {
      expr = spelling.findClosest { candidates = [ "12.8" "cutlass_3_5" ]; } "cutlass_3_6";
      expected = null;
    };
    nothingToChooseFrom = {
      expr = spelling.findClosest { candidates = [ ]; } "cuda";
      expected = null;
    };
  };
}
