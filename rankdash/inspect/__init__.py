"""What a person looks at: one query, its lists, other measures and conventions. Numbers for a screen are made here,
so that no page computes any; nothing here decides.
"""
