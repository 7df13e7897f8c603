"""The documentation as a site: `python -m website`, which `make docs` runs. The pages of docs/ are written by hand; the others are made of what the code says of itself.

stage        the pages of docs/ and the README, copied so that every link leads to a page or to nothing
menu         the order of the pages; what nobody named stands under "More", so that none is forgotten
games        a page for every shipped game: its docstring, its picture, its settings, what can search it
algorithms   a page for every search: its docstring, its formula, its lines, a tree that it drew itself, its options
reference    the public names of kibitz
performance  the figures of `make bench`
markup       small pieces of Markdown
builder      all of it into a folder, and mkdocs over that
"""
