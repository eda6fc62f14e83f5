"""What scripts/peers is made of."""
