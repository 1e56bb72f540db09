"""How fast the pages answer in a browser, beside a hello-world app that does the same with one chart.

``servers.py`` starts both apps, ``floor.py`` is the hello-world app, ``driving.py`` clicks, types and times with
``watch.js`` in the page, ``journeys.py`` holds the rows, ``limits.py`` what is asked for and the table.
``python -m benchmarks.ui`` does all of it.
"""
