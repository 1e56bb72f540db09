"""The report: one HTML file that asks nothing of any server, written by Jinja2 from the sections."""
