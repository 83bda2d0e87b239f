#define NUMBER 42
