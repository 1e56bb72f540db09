"""What tells one browser from others without sign-in, and cannot be guessed.

Why: a script can set no cookie, and a session ends with a reload
(https://github.com/streamlit/streamlit/issues/861). Streamlit gives every browser one cookie, the token against forged
requests: 128 random bits that stay until the browser is closed. Masks around them change with each answer, so the bits
are read, and only their digest leaves this module: whoever reads a database learns no token.

It can go when there is sign-in, or when Streamlit names the browser of a session.
"""

from __future__ import annotations

import hashlib

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

_COOKIE = "_streamlit_xsrf"


def identity() -> str:
    """The digest of the browser's token, 64 hexadecimal digits; "" where it sent none."""
    cookie = st.context.cookies.get(_COOKIE)
    token = decode_xsrf_token_string(cookie)[0] if cookie else None
    return hashlib.sha256(token).hexdigest() if token else ""
