BLOCK = {% block %}
