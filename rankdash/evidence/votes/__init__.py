"""What raters say: votes -> one label per query, ΔGSB with its interval, and the effect of the side a list stood on."""
