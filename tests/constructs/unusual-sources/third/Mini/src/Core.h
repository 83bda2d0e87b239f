inline int mini() { return 10; }
