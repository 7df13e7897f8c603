"""The board in the browser: `kibitz serve`. It contains no rules and no search; it calls the same functions as the command line.

messages        the messages between page and server, validated against one schema on both sides; the server's limits
catalogue       which games and searches the page may ask for, and their options
positions       from what the page describes to a position, and from a position to what the page draws
guard           a page names no files
worker          the process that runs searches, one at a time
pool            the workers, and the queue before them
server          pages, static files and the websocket
static/         the page itself: plain ES modules, one stylesheet
"""
