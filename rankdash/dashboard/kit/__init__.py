"""What Streamlit lacks: widgets that show what the server knows, results shared by content, text shown letter for
letter. It knows nothing of comparisons, and every module says when it can go.
"""
