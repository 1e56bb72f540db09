"""The pages, one folder each: ``page.py`` is what Streamlit runs, beside it stand the parts that only this page
uses.
"""
