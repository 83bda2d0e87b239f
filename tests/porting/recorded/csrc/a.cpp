int64_t a() { return 0; }
