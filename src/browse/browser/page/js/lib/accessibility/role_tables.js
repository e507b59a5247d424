/**
 * What the standards list: ARIA's roles and which of them do what, and the role that each HTML element has
 * by itself (ARIA 1.3, DPUB-ARIA, graphics, HTML-AAM).
 */
export default () => {
  /** @param {string} words */
  const set = (words) => new Set(words.trim().split(/\s+/));
  /** @param {string} text @returns {Map<string, string>} */
  const table = (text) =>
    new Map(
      text
        .trim()
        .split(/\s*\n\s*/)
        .flatMap((line) => {
          const [role, names] = line.split(":");
          return names
            .trim()
            .split(/\s+/)
            .map((name) => /** @type {[string, string]} */ ([name, role]));
        }),
    );

  const DPUB = set(`
    doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography
    doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication
    doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword
    doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter
    doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip
    doc-toc`);
  const ROLES = set(`
    alert alertdialog application article banner blockquote button caption cell checkbox code columnheader
    combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed
    figure form generic graphics-document graphics-object graphics-symbol grid gridcell group heading image img
    insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
    menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region
    row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton
    status strong subscript suggestion superscript switch tab table tablist tabpanel term text textbox time
    timer toolbar tooltip tree treegrid treeitem`);

  return {
    ROLES: new Set([...ROLES, ...DPUB]),
    SYNONYMS: new Map([
      ["img", "image"],
      ["presentation", "none"],
      ["directory", "list"],
      ["text", "generic"],
    ]),
    INTERACTIVE: set(`
      button link textbox checkbox radio combobox listbox menuitem menuitemcheckbox menuitemradio option
      searchbox slider spinbutton switch tab treeitem`),
    // Roles that are named by what they contain.
    NAMED_BY_CONTENT: set(`
      button cell checkbox columnheader doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle
      graphics-object gridcell heading link math menuitem menuitemcheckbox menuitemradio option radio rowheader
      switch tab term tooltip treeitem`),
    // Containers whose content says nothing about an element around them.
    OPAQUE: new Set([
      ...set(`
        alert alertdialog application article audio banner blockquote comment complementary dialog document feed
        figure form graphics-document graphics-symbol grid group iframe image listbox log main marquee menu
        menubar meter navigation note object progressbar radiogroup row rowgroup scrollbar search sectionheader
        separator slider spinbutton status suggestion table tablist tabpanel timer toolbar tree treegrid video`),
      ...[...DPUB].filter((role) => !/backlink|biblioref|glossref|noteref|subtitle/.test(role)),
    ]),
    // Roles that cannot be named by `title`; it describes them.
    NAMELESS: set(`
      caption code definition deletion emphasis generic insertion listitem mark none paragraph strong subscript
      suggestion superscript time`),
    // Roles that hold a value, which stands for them in a name around them.
    VALUED: set("combobox listbox meter progressbar scrollbar searchbox slider spinbutton textbox"),
    // Attributes that an element may not have if it is to be presentational.
    GLOBAL: `aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls aria-current
      aria-describedby aria-description aria-details aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts
      aria-label aria-labelledby aria-live aria-owns aria-relevant aria-roledescription`.split(/\s+/),
    ELEMENTS: table(`
      article: article
      audio: audio
      blockquote: blockquote
      button: button
      canvas: canvas
      caption: caption figcaption
      code: code
      definition: dd
      deletion: del s
      dialog: dialog
      emphasis: em
      figure: figure
      form: form
      group: address details fieldset hgroup optgroup
      heading: h1 h2 h3 h4 h5 h6
      iframe: frame iframe
      insertion: ins
      list: dir menu ol ul
      listbox: datalist
      main: main
      mark: mark
      meter: meter
      navigation: nav
      object: embed object
      option: option
      paragraph: p
      progressbar: progress
      rowgroup: tbody tfoot thead
      search: search
      separator: hr
      status: output
      strong: strong
      subscript: sub
      superscript: sup
      term: dfn dt
      textbox: textarea
      time: time
      video: video`),
    INPUTS: table(`
      button: button file image reset submit
      checkbox: checkbox
      none: hidden
      radio: radio
      searchbox: search
      slider: range
      spinbutton: number`),
    // Types that an attribute `list` turns into a combobox.
    LISTED: set("date datetime-local email month number search tel text time url week"),
    // Types that are not text by themselves; any other type is.
    TYPES: set(`
      button checkbox color date datetime-local email file hidden image month number password radio range reset
      search submit tel text time url week`),
  };
};
