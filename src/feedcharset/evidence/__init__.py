"""What was seen, with no opinion: byte order mark, declaration, Content-Type, charsets, and the body itself.

Nothing here decides, and nothing opens anything: octets and header values come in, facts go out
(`evidence.facts.gather_facts`), and a window of the body answers questions (`evidence.window.Window`).
"""
