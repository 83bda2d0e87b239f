// What each part of the library gives if it works; the numbers are checked in Python.
#pragma once

#include <cstdint>
#include <string>

int64_t files(const std::string& folder);
int64_t randomness();
std::string mathematics(double x);

int64_t waits();
int64_t threads();
int64_t thread_identity();

std::string digits(double x);
