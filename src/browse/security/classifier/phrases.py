"""Phrases that address whoever writes an answer, and that pages rarely contain.

Matched by classes of words, like the rules of `features`, but with a lexicon of their own: a new
phrase needs no new weights.
"""

import re
from collections.abc import Sequence
from functools import cache

_WORDS = {
    "g": "urge urging advise advising encourage encouraging invite inviting instruct instructing "
    "direct directing remind reminding recommend recommending suggest suggesting guide guiding "
    "telling asking prompting stating",
    "U": "user users reader readers customer customers people individuals visitor visitors "
    "recipient recipients",
    "u": "\x01url site website portal link",
    "b": "add append insert integrate incorporate embed weave place attach merge blend infuse "
    "include",
    "n": "note line statement sentence reminder remark advisory disclaimer recommendation "
    "suggestion paragraph",
    "c": "encode encrypt shift reverse translate provide format convert end begin start modify "
    "alter limit",
    "y": "your ur",
    "W": "reply response answer summary message",
    "q": "what spell reveal letter letters character characters ascii backwards hint say know",
    "s": "secret password passwords passphrase passcode codeword",
    "k": "code snippet script excerpt",
    "i": "into in within to",
    "p": "please kindly",
    "m": "my",
    "d": "transfer deposit withdraw grant share delete schedule unlock retrieve search remove post "
    "download create set disable access find update",
    "x": "send forward email",
    "@": "\x01mail",
    "o": "body content containing saying",
    "N": "no without any never",
    "r": "ethical ethics moral morals morality filter filters filtering censorship disclaimers",
    "R": "pretend roleplay simulate embody embodying immerse impersonate",
    "v": "stay remain break",
    "w": "role",
    "z": "anything",
    "Z": "now",
    "t": "before when while after",
    "f": "finalizing finalising answering responding summarizing summarising",
    "h": "dear hello hi hey attention greetings",
    "A": "ai assistant chatgpt gpt llm claude bot chatbot agent",
    "B": "assistants agents bots chatbots llms crawlers ais",
    "M": "should must",
    "e": "regardless irrespective whatever",
    "j": "actual question ranking rankings quality asked criteria",
    "F": "directive override instruction instructions",
    "G": "for",
    "H": "page document article listing",
    "I": "describing reviewing analyzing analysing evaluating discussing processing reading "
    "translating handling",
    "J": "phrase word words exact string",
    "E": "not don't dont",
    "O": "flag disclose",
    "P": "ignore disregard forget",
    "Q": "authorized authorised approved",
    "S": "test audit drill exercise",
    "X": "task",
    "Y": "following this",
    "1": "do perform complete",
    "2": "first instead",
    "3": "gave beginning",
    ":": ":",
    # Words of two classes.
    "T": "tell",
    "C": "write give output print show",
    "D": "change list",
    "a": "ask prompt",
    "l": "implementation solution",
}
_CLASS_OF = {word: letter for letter, words in _WORDS.items() for word in words.split(" ")}
_ENDS = frozenset(".!?")
_S = "[^;]"  # anything within a sentence
_PHRASES = {
    "send the reader there": rf"[gTa].?.?U{_S}{{0,20}}u",
    "add such a line": rf"b{_S}{{0,6}}n{_S}{{0,8}}g",
    "shape your answer": rf"[cCDb]{_S}{{0,6}}yW",
    "tell the secret": rf"[qTC]{_S}{{0,7}}[y.].?s",
    "put in this code": rf"b{_S}{{0,7}}k{_S}{{0,5}}i[y.]|y[kl]M",
    "do this with mine": rf"p.?[dxDb]{_S}{{0,9}}m",
    "send these words": rf"x{_S}{{0,12}}@{_S}{{0,8}}o",
    "no limits": "N.?.?r|zZ",
    "play a machine": rf"R{_S}{{0,8}}A|vi[qw]|v[qw]",
    "while you answer": "tf",
    "dear machine": r"h[.;]?A",
    "note for a machine": r"A.?[nF]:|[nF][Gi].?.?[AB]|AB:|AB.{0,6}M",
    "whatever was asked": "e.{0,3}[joU]",
    "while you read this": "t.?[fI].{0,2}H",
    "say this phrase": "[bC].{0,3}J",
    "without asking": "Ng",
    "do not flag it": "E.?O",
    "not this page": "P.{0,3}H",
    "it was approved": "Q.{0,2}S",
    "another task": "1.?Y.?2|X..?.?3|1.{0,4}X2|i.?3.{0,6}2",
}


@cache
def _patterns() -> list[re.Pattern[str]]:
    return [re.compile(phrase) for phrase in _PHRASES.values()]


def answer_phrase_hits(words: Sequence[str]) -> list[tuple[int, int]]:
    """List where phrases match in the words of a text: the last word, and the phrase's number."""
    known = _CLASS_OF.get
    letters = "".join([known(word) or (";" if word in _ENDS else ".") for word in words])
    return sorted(
        (found.end() - 1, number)
        for number, phrase in enumerate(_patterns())
        for found in phrase.finditer(letters)
    )
