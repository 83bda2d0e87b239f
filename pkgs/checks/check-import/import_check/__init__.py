"""Whether a built variant can be imported with the public client, as its users do."""
