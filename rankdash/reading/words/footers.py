"""How remarks below a table begin."""

from __future__ import annotations

#: A pattern of a whole line, in any case.
FOOTER = (
    r"[\W_]*(grand total|sub ?total|total|sum|count|average|mean|median|rows?|records?|lines?|results?|generated|"
    r"exported|created|printed|source|notes?|remarks?|legend|end|eof|page|copyright|confidential|report|elapsed|"
    r"finished|only showing|query (took|time))(?![A-Za-z0-9_]).*"
    r"|[\W_]*(合计|总计|总共|合計|総計|件数|共计|共|注|备注|来源|导出|生成|出典|注記).*"
    r"|\W*\d[\d,.]* *(rows?|records?|lines?|results?|queries|documents|行|条|件).*|[\W_]+"
)
