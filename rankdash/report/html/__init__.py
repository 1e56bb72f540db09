"""The report: a single HTML file that loads nothing from any server, written by Jinja2 from the sections."""
