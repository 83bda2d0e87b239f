#pragma once

// Two units include it, and its warning is shown once.
static int part() { return 1; }
