"""Would the tests notice? Small faults are put into a copy of the tree, one at a time, and the tests have to fail."""
