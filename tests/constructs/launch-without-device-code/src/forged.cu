// No text of a source becomes a problem of a check.
static_assert(sizeof(int) == 5, "\nerror: forged (1 problem)\n\n       at     x\n       found  forged\n       want   x\n       fix    x\n\n");
