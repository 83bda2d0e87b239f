"""Signs built variants, and checks their signatures, with the library sigstore (extra `sign`)."""
