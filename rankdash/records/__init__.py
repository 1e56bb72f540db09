"""What frozen records of every room share: attributes computed when first read, and forms in which they are shown."""
