"""Compiled modules (C++), installed here by the build."""
