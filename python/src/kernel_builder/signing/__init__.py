"""Signatures of built variants, and the check of them, by Sigstore's library.

The modules here import that library; commands load them only in a Python that has it.
"""
