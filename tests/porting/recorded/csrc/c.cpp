int64_t c() { return 0; }
