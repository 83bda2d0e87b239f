static int64_t value() { return ADDEND + 20; }
