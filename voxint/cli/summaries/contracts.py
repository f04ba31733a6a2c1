"""The contract verbs' reports in words."""

from __future__ import annotations

from voxint_contracts.common import v1 as contract

from voxint.cli.summaries import Grid, Summary


def listing(report: contract.ContractList) -> Summary:
    """One row per document: its name, its form and what it is."""
    rows = tuple((entry.contract, entry.form.value, entry.meaning) for entry in report.contracts)
    return Summary("Contracts", (Grid("", ("contract", "form", "what it is"), rows, n_text=3),))


def check(report: contract.CheckReport) -> Summary:
    """One sentence: how many documents of the file fit which contract."""
    what = "document fits" if report.n_documents == 1 else "documents fit"
    return Summary(f"{report.file}: {report.n_documents} {what} {report.contract}", ())
