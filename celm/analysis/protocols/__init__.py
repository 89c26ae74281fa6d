"""One protocol for a whole table: how near each comes to the paper, and which could have written it."""

from celm.analysis.protocols.identification import Trial, calibrated, identify, trial
from celm.analysis.protocols.measures import ProtocolFindings, ProtocolFit, document, protocol_findings
from celm.analysis.protocols.panel import Panel, SetPanel, completed, panel_of

__all__ = [
    "Panel",
    "ProtocolFindings",
    "ProtocolFit",
    "SetPanel",
    "Trial",
    "calibrated",
    "completed",
    "document",
    "identify",
    "panel_of",
    "protocol_findings",
    "trial",
]
