int64_t g() { return 0; }
