"""What `torch.library.opcheck` says of a variant's operators, on calls that the kernel's own tests make."""
