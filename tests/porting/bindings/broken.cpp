#include "generated.h"
Generated made;
