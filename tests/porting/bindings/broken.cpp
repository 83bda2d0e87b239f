#include "generated.h"
