#define SECOND 4
