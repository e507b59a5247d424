"""`pdf`: save a page as PDF."""

import asyncio
from typing import Annotated

from browse.browser.visual.pdf import print_page
from browse.browser.visual.pdf_options import PdfOptions, PdfOptionsParam, print_settings
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.files import write_output
from browse.registry.params import Doc, WriteFile
from browse.registry.results import Text
from browse.registry.spec import Group, command


@command(group=Group.VISUAL, scope=Scope.READ, writes=True, deadline=75.0)
async def pdf(
    ctx: Ctx,
    path: WriteFile | None = None,
    *,
    format: Annotated[
        str | None, Doc("Letter (default), Legal, Tabloid, Ledger, A0 to A6.")
    ] = None,
    page_size: Annotated[str | None, Doc("The same as --format.", metavar="format")] = None,
    width: Annotated[str | None, Doc("Page width: 8.5in, 21cm, 210mm, 800px.")] = None,
    height: Annotated[str | None, Doc("Page height.")] = None,
    margins: Annotated[str | None, Doc("All four margins: 1in, 2cm, 10mm, 40px.")] = None,
    margin_top: Annotated[str | None, Doc("Top margin.")] = None,
    margin_right: Annotated[str | None, Doc("Right margin.")] = None,
    margin_bottom: Annotated[str | None, Doc("Bottom margin.")] = None,
    margin_left: Annotated[str | None, Doc("Left margin.")] = None,
    header_template: Annotated[str | None, Doc("HTML header of each page.", metavar="html")] = None,
    footer_template: Annotated[str | None, Doc("HTML footer of each page.", metavar="html")] = None,
    page_numbers: Annotated[bool, Doc("Add page numbers, 1 of 3, after the footer.")] = False,
    tagged: Annotated[bool, Doc("Make a tagged PDF, for screen readers.")] = False,
    outline: Annotated[bool, Doc("Add bookmarks for the headings.")] = False,
    print_background: Annotated[bool, Doc("Print background colours and images.")] = False,
    prefer_css_page_size: Annotated[bool, Doc("Prefer the page's own @page size.")] = False,
    toc: Annotated[bool, Doc("Wait until Paged.js has finished its layout, 3 s at most.")] = False,
    from_file: Annotated[
        PdfOptionsParam | None, Doc('Read options as JSON: {"output": "a.pdf", "format": "A4"}.')
    ] = None,
) -> Text:
    """Save the page as PDF.

    Without a path it is saved in a private temporary folder. A payload (--from-file) has the flags
    as keys: output, format, marginTop, pageNumbers, preferCSSPageSize and so on.

    Examples:
        browse pdf
        browse pdf page.pdf --format A4 --margins 2cm --page-numbers
        browse pdf --from-file payload.json
    """
    if format and page_size:
        raise Usage("pdf: --format and --page-size are the same", hint="leave one of them out")
    flags = PdfOptions(
        format=format or page_size,
        width=width,
        height=height,
        margins=margins,
        margin_top=margin_top,
        margin_right=margin_right,
        margin_bottom=margin_bottom,
        margin_left=margin_left,
        header_template=header_template,
        footer_template=footer_template,
        page_numbers=page_numbers,
        tagged=tagged,
        outline=outline,
        print_background=print_background,
        prefer_css_page_size=prefer_css_page_size,
        toc=toc,
    )
    if from_file and (path or flags != PdfOptions()):
        raise Usage(
            "pdf: --from-file cannot be combined with a path or another flag of pdf",
            hint='put them into the payload: {"output": "page.pdf", "format": "A4"}',
        )
    options, named = await asyncio.to_thread(from_file.read) if from_file else (flags, path)
    file = named or ctx.output("browse-page.pdf")
    data = await print_page(ctx.tab, print_settings(options))
    size = await asyncio.to_thread(write_output, file, data)
    return Text(f"PDF saved: {file.real}", {"path": file.real, "bytes": size})
