import torch

SPACE = torch.empty(1024, device="cuda")
