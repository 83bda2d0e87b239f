int64_t h() { return 0; }
