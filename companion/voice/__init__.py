"""What the box says aloud: a screen's content in words, and how players say what is written.

::

    session ──► spoken.spoken_screen ──► SpokenScreen ──► words_to_say: what is new since the one before
                  └ pronunciation: signs, cards, keys

The voice says what the panel shows, so it knows no more than the panel. What only one player may see is replaced by a
sentence, unless this player alone hears the sound. All of it is pure; `companion.table.voice_worker` has it spoken.
"""
