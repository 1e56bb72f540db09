"""Where B wins and loses: charts, filters, a table, and one query opened."""
