__global__ void add(float *numbers, float addend) { numbers[threadIdx.x] += addend; }
