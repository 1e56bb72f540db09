"""Where B wins and loses: charts, filters, a table, and the query that is open."""
