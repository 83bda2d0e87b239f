{ spelling, ... }:
{
  lower.ofCapitals = [ (spelling.lower "BSD-3-Clause") "bsd-3-clause" ];
  findClosestWord = {
    nearest = [ (spelling.findClosestWord { candidates = [ "cpu" "cuda" "rocm" ]; } "cudda") "cuda" ];
    otherCase = [
      (map (spelling.findClosestWord { candidates = [ "cuda" "Release" ]; }) [ "CUDA" "RELAESE" ])
      [ "cuda" "Release" ]
    ];
    nothingNear = [ (spelling.findClosestWord { candidates = [ "cpu" "cuda" ]; } "vulkan") null ];
    twoOfFourLetters = [ (spelling.findClosestWord { candidates = [ "cuda" ]; } "caca") "cuda" ];
    threeOfNineLetters = [
      (map (spelling.findClosestWord { candidates = [ "toolchain" "backends" ]; }) [ "tuulchein" "buckindz" ])
      [ "toolchain" null ]
    ];
    shortWordsAreNotAlike = [ (spelling.findClosestWord { candidates = [ "xpu" ]; } "abc") null ];
    otherNumbersAreNotAlike = [
      (spelling.findClosestWord { candidates = [ "12.8" "cutlass_3_5" ]; } "cutlass_3_6")
      null
    ];
    nothingToChooseFrom = [ (spelling.findClosestWord { candidates = [ ]; } "cuda") null ];
  };
}
