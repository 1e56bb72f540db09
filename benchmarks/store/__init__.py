"""What a store promises in numbers: nothing is lost when it is killed, and saving and opening are quick."""
