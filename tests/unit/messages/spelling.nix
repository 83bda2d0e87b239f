{ messages, ... }:
let
  inherit (messages) spelling;
in
{
  distance = {
    same = {
      expr = spelling.distance "cuda" "cuda";
      expected = 0;
    };
    oneLetterMore = {
      expr = spelling.distance "cudaa" "cuda";
      expected = 1;
    };
    fromNothing = {
      expr = spelling.distance "" "cuda";
      expected = 4;
    };
    mixed = {
      expr = spelling.distance "kitten" "sitting";
      expected = 3;
    };
  };
  closest = {
    nearest = {
      expr = spelling.closest { candidates = [ "cpu" "cuda" "rocm" ]; } "cudda";
      expected = "cuda";
    };
    otherCase = {
      expr = map (spelling.closest { candidates = [ "cuda" "Release" ]; }) [ "CUDA" "RELAESE" ];
      expected = [
        "cuda"
        "Release"
      ];
    };
    nothingNear = {
      expr = spelling.closest { candidates = [ "cpu" "cuda" ]; } "vulkan";
      expected = null;
    };
    twoOfFourLetters = {
      expr = spelling.closest { candidates = [ "cuda" ]; } "caca";
      expected = "cuda";
    };
    threeOfNineLetters = {
      expr = map (spelling.closest { candidates = [ "toolchain" "backends" ]; }) [
        "tuulchein"
        "buckindz"
      ];
      expected = [
        "toolchain"
        null
      ];
    };
    shortWordsAreNotAlike = {
      expr = spelling.closest { candidates = [ "xpu" ]; } "abc";
      expected = null;
    };
    otherNumbersAreNotAlike = {
      expr = spelling.closest { candidates = [ "12.8" "cutlass_3_5" ]; } "cutlass_3_6";
      expected = null;
    };
    nothingToChooseFrom = {
      expr = spelling.closest { candidates = [ ]; } "cuda";
      expected = null;
    };
  };
}
