#include <math.h>
#include "../include/shared.h"
