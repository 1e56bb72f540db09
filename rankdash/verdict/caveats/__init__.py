"""What a reader must know beside the verdict: plain numbers in, ordered caveats out. None changes an outcome."""
