import {{ name }}
