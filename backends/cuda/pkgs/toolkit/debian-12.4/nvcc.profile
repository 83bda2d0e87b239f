# The layout of NVIDIA's own toolkit instead of Debian's. nvcc reads this file beside itself.
TOP = $(_HERE_)/..

CICC_PATH = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice

LD_LIBRARY_PATH += $(TOP)/lib:
PATH += $(CICC_PATH):$(_HERE_):

INCLUDES += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib/stubs" "-L$(TOP)/lib"

CUDAFE_FLAGS +=
PTXAS_FLAGS +=
