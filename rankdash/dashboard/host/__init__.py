"""What the server owns, beside the pages: how it starts and ends, and whom it answers; public API of Streamlit only."""

from starlette.middleware import Middleware

from rankdash.dashboard.host.deep_links import DeepLinks
from rankdash.dashboard.host.headers import Guarded
from rankdash.dashboard.host.identity import Identified
from rankdash.dashboard.host.idle_uploads import IdleUploads
from rankdash.dashboard.navigation import SCRIPTS

#: What every request goes through, in this order.
MIDDLEWARE = (
    Middleware(Guarded),
    Middleware(Identified),
    Middleware(DeepLinks, names=SCRIPTS),
    Middleware(IdleUploads),
)
