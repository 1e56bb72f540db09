"""The pages and their state; the only rooms that import streamlit."""
