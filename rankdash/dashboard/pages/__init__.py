"""The pages, one folder each, with the module that Streamlit runs and the parts that only this page uses."""
