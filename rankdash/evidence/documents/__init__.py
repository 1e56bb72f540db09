"""What single documents do to a difference: the documents two models show -> parts of the mean difference,
preference derived from judgments, and what to label next.
"""
