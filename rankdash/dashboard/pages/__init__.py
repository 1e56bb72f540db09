"""The pages, one each: the module that Streamlit runs, in a folder where there are parts that only this page uses."""
