int64_t e() { return 0; }
