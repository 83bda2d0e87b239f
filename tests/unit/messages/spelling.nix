{ messages, ... }:
let
  inherit (messages) spelling;
in
{
  measureDistance = {
    same = {
      expr = spelling.measureDistance "cuda" "cuda";
      expected = 0;
    };
    oneLetterMore = {
      expr = spelling.measureDistance "cudaa" "cuda";
      expected = 1;
    };
    fromNothing = {
      expr = spelling.measureDistance "" "cuda";
      expected = 4;
    };
    mixed = {
      expr = spelling.measureDistance "kitten" "sitting";
      expected = 3;
    };
  };
  findClosestWord = {
    nearest = {
      expr = spelling.findClosestWord { candidates = [ "cpu" "cuda" "rocm" ]; } "cudda";
      expected = "cuda";
    };
    otherCase = {
      expr = map (spelling.findClosestWord { candidates = [ "cuda" "Release" ]; }) [ "CUDA" "RELAESE" ];
      expected = [
        "cuda"
        "Release"
      ];
    };
    nothingNear = {
      expr = spelling.findClosestWord { candidates = [ "cpu" "cuda" ]; } "vulkan";
      expected = null;
    };
    twoOfFourLetters = {
      expr = spelling.findClosestWord { candidates = [ "cuda" ]; } "caca";
      expected = "cuda";
    };
    threeOfNineLetters = {
      expr = map (spelling.findClosestWord { candidates = [ "toolchain" "backends" ]; }) [
        "tuulchein"
        "buckindz"
      ];
      expected = [
        "toolchain"
        null
      ];
    };
    shortWordsAreNotAlike = {
      expr = spelling.findClosestWord { candidates = [ "xpu" ]; } "abc";
      expected = null;
    };
    otherNumbersAreNotAlike = {
      expr = spelling.findClosestWord { candidates = [ "12.8" "cutlass_3_5" ]; } "cutlass_3_6";
      expected = null;
    };
    nothingToChooseFrom = {
      expr = spelling.findClosestWord { candidates = [ ]; } "cuda";
      expected = null;
    };
  };
}
