"""What games and searches stand on."""
