"""What Streamlit lacks: widgets that show what the server knows, results shared by content, text shown letter for
letter. It knows nothing of comparisons. Every module says why it is there ("Why:") and when it can go ("It can go").
"""
