"""What searches remember, and what was found before any search: transposition tables, opening books, tables of endings."""
