int64_t d() { return 0; }
