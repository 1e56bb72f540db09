"""What the server owns, beside the pages: how it starts and ends, and whom it answers; public API of Streamlit only."""

from starlette.middleware import Middleware

from rankdash.dashboard.host.requests import DeepLinks, Guarded, Identified, IdleUploads
from rankdash.dashboard.navigation import SCRIPTS

#: What every request goes through, in this order.
MIDDLEWARE = (
    Middleware(Guarded),
    Middleware(Identified),
    Middleware(DeepLinks, names=SCRIPTS),
    Middleware(IdleUploads),
)
