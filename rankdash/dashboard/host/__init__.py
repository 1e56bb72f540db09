"""What the server owns, beside the pages: how it starts and ends, and whom it answers; public API of Streamlit only."""
