// The operators' implementations, which no kernel calls by these names.
#pragma once
