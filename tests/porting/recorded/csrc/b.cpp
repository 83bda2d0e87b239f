int64_t b() { return 0; }
