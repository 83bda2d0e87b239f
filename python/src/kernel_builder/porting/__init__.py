"""The extra `port`: drafts a kernel from a project with a setup.py, and runs nothing of it."""
