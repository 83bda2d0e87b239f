// Made by kernel-builder create-pyproject; a build makes its own.
#pragma once
#define REGISTER_EXTENSION(NAME)
