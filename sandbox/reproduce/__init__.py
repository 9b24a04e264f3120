"""`sandbox reproduce`: every table and figure of the papers, computed anew, beside what they say.

item.py       what an item is: the paper's figure, ours, a verdict that is computed
items/        the items themselves, a function each; found by being there
item_process.py  a process that computes one item after the other
runner.py     items on processes; results kept by content, so that a kill loses nothing
charts.py     plots as SVG
report.py     everything as one page, Markdown and HTML
headlines.py  what must not fall
"""
