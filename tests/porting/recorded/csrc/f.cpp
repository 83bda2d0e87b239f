int64_t f() { return 0; }
