/**
 * Element lists of the HTML standard that decide the shape of the tree. Each list is one bit of a number, so that one
 * look-up for a name answers all questions about it.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
 */

export const VOID = 1 << 0

/** Elements of the head. The first other element opens the body. */
export const HEAD_CONTENT = 1 << 1

/** Elements whose start tag ends an open paragraph. */
export const ENDS_PARAGRAPH = 1 << 2

export const HEADING = 1 << 3

/** Elements that bound the search for the element of an end tag: none outside of them is closed. */
export const SCOPE = 1 << 4

export const TABLE_SCOPE = 1 << 5

/** Inline elements whose end tag may come after the end of a block inside them. */
export const FORMATTING = 1 << 6

/** Elements that the standard calls special: the end tag of an unknown or inline element closes none of them. */
export const SPECIAL = 1 << 7

/** Elements whose end tag ends everything inside them. */
export const BLOCK = 1 << 8

/** Elements allowed directly in a table or one of its parts; anything else is moved before the table. */
export const TABLE_PART = 1 << 9

export const TABLE_CONTEXT = 1 << 10

/** Elements of SVG and MathML that contain HTML. */
export const INTEGRATION_POINT = 1 << 11

/** HTML elements whose start tag ends an open `svg` or `math`. */
export const LEAVES_FOREIGN = 1 << 12

/**
 * Elements that end at `/>`. That of an element with text up to its end tag is reported by the tokenizer only where there is no
 * end tag: unlike in browsers, the element would contain the rest of the page.
 */
export const SELF_CLOSING = 1 << 13

export const BUTTON = 1 << 14
export const LIST = 1 << 15
export const ITEM = 1 << 16
export const DEFINITION = 1 << 17
export const CELL = 1 << 18
export const ROW_CONTEXT = 1 << 19

/** Parts of a table that an end tag closes up to the table. */
export const TABLE_END = 1 << 20

/** Elements that bound the search for an open list item or definition. */
export const ITEM_BOUNDARY = 1 << 21

export const FOREIGN = 1 << 22

/** Elements that always exist once: `html`, `head` and `body`. */
export const ROOT = 1 << 23

/** Elements whose start tag closes others of the same kind. */
export const ENDS_SIBLING = 1 << 24

/** Elements whose first line break is not part of their text. */
export const DROPS_LINE_BREAK = 1 << 25

/** Elements with text that is moved before the table, if it is not white space. */
export const REFUSES_TEXT = 1 << 26

/** Elements that end where anything but a column begins. */
export const COLUMNS = 1 << 27

export const PARAGRAPH = 1 << 28

/** Elements whose content is text up to their end tag. */
export const RAW_TEXT = 1 << 29

/** Elements of XHTML that are read so as well: few authors escape the code in them. */
export const RAW_TEXT_OF_XHTML = 1 << 30

const SPECIAL_NAMES =
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd ' +
  'details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header ' +
  'hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript ' +
  'object ol p param plaintext pre script search section select source style summary table tbody td template ' +
  'textarea tfoot th thead title tr track ul wbr xmp'

const LISTS: readonly (readonly [flag: number, names: string])[] = [
  [VOID, 'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'],
  [HEAD_CONTENT, 'base basefont bgsound link meta noframes noscript script style template title'],
  [
    ENDS_PARAGRAPH,
    'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
      'h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
  ],
  [HEADING, 'h1 h2 h3 h4 h5 h6'],
  [
    SCOPE,
    'applet caption html table td th marquee object template foreignobject desc title annotation-xml mi mo mn ms mtext',
  ],
  [TABLE_SCOPE, 'html table template'],
  [FORMATTING, 'a b big code em font i nobr s small strike strong tt u'],
  [SPECIAL, SPECIAL_NAMES],
  [
    BLOCK,
    'address applet article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer ' +
      'header hgroup listing main marquee menu nav object ol pre search section select summary ul template noscript ' +
      'dd dt p iframe noframes noembed xmp script style title textarea',
  ],
  [TABLE_PART, 'caption colgroup col tbody thead tfoot tr td th script style template'],
  [TABLE_CONTEXT, 'table tbody thead tfoot tr'],
  [INTEGRATION_POINT, 'foreignobject desc title annotation-xml mi mo mn ms mtext'],
  [
    LEAVES_FOREIGN,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol ' +
      'p pre ruby s small span strong strike sub sup table tt u ul var',
  ],
  [SELF_CLOSING, 'svg math script style title textarea xmp'],
  [BUTTON, 'button'],
  [LIST, 'ul ol'],
  [ITEM, 'li'],
  [DEFINITION, 'dd dt'],
  [CELL, 'td th'],
  [ROW_CONTEXT, 'tr tbody thead tfoot'],
  [TABLE_END, 'tr tbody thead tfoot td th caption colgroup'],
  [ITEM_BOUNDARY, SPECIAL_NAMES.replace(/\b(?:address|div|p) /g, '')],
  [FOREIGN, 'svg math'],
  [ROOT, 'html head body'],
  [ENDS_SIBLING, 'option optgroup rb rt rp rtc'],
  [DROPS_LINE_BREAK, 'pre textarea'],
  [REFUSES_TEXT, 'table tbody thead tfoot tr colgroup'],
  [COLUMNS, 'colgroup'],
  [PARAGRAPH, 'p'],
  [RAW_TEXT, 'script style title textarea xmp'],
  [RAW_TEXT_OF_XHTML, 'script style'],
]

const flags = new Map<string, number>()
for (const [flag, names] of LISTS) for (const name of names.split(' ')) flags.set(name, (flags.get(name) ?? 0) | flag)

/** Returns the lists that an element is in; 0 for most inline and unknown elements. */
export const flagsOf = (name: string): number => flags.get(name) ?? 0

/** Open elements that a start tag closes, by its name: `<option>` closes `option`, `<rt>` closes `rp`. */
export const ENDED_SIBLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['option', ['option']],
  ['optgroup', ['option', 'optgroup']],
  ['rb', ['rb', 'rt', 'rp', 'rtc']],
  ['rt', ['rb', 'rt', 'rp']],
  ['rp', ['rb', 'rt', 'rp']],
  ['rtc', ['rb', 'rt', 'rp', 'rtc']],
])

/** All names of elements that pages have often. */
export const ELEMENT_NAMES: readonly string[] = [
  ...flags.keys(),
  ...'abbr audio canvas cite data del dfn g iframe ins kbd label legend map mark meter output path picture progress q'.split(
    ' ',
  ),
  ...'samp span sub sup svg text time use var video'.split(' '),
]
