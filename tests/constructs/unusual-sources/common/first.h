#define FIRST 3
