"""Problems of life and death that have names, as go_problem writes them."""


def drawn(*rows):
    """Rows from the top; Black, X, is to kill."""
    return f"{'/'.join(rows)} X to move"


SIZE = 7
PROBLEMS = {
    # An eye of five points: whoever plays in its middle decides.
    "bulky-five": drawn("_______", "_XXXXX_", "_XWWWXX", "_XW.WWX", "_XW..WX", "_XW..WX", "_XWWWWX"),
    # Of six.
    "rabbity-six": drawn("XXXXXX_", "XWWWWX_", "XW..WX_", "XW...WX", "XWW.WWX", "XXWWWXX", "_XXXXX_"),
    # Two by two: dead, whoever moves.
    "square-four": drawn("_______", "XXXXXX_", "XWWWWX_", "XW..WX_", "XW..WX_", "XWWWWX_", "XXXXXX_"),
    # Two by three in the corner, no liberty outside: Black kills; with one it is a ko, with two White lives.
    "rectangular-six": drawn("_______", "_______", "_______", "XXXXX__", "WWWWX__", "...WX__", "...WX__"),
    # Neither can be kept from what he has, but Black may begin a ko when it suits him: "bent four in the corner is dead".
    "bent-four-corner": drawn("_______", "_______", "XX_____", "WWX____", ".WXX___", "XWWWX__", "XX.WX__"),
    # Dead as it stands; with a leg at A3 or D1 whoever moves first decides; with both it lives.
    "l-group": drawn("_______", "_______", "XXXXX__", ".XXXX__", ".WWWX__", "...WX__", ".....X_"),
    # Three by three in the corner: Black moves first, and it is a ko.
    "carpenters-square": drawn("_______", "XXXXX__", ".XXXX__", ".WWWX__", "...WX__", "...WX__", ".....X_"),
}
