#pragma once
inline int mini() { return 42; }
