"""The pages, one folder each: Streamlit runs the module of its name; beside it stand the parts that only it uses."""
