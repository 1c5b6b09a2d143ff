/**
 * Element lists of the HTML standard that decide the shape of the tree.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
 */

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

export const VOID = names(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

/** Elements of the head. The first other element opens the body. */
export const HEAD_CONTENT = names('base basefont bgsound link meta noframes noscript script style template title')

/** Elements whose start tag ends an open paragraph. */
export const ENDS_PARAGRAPH = names(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
)

export const HEADING = names('h1 h2 h3 h4 h5 h6')

/** Elements that bound the search for the element of an end tag: none outside of them is closed. */
export const SCOPE = names(
  'applet caption html table td th marquee object template foreignobject desc title annotation-xml mi mo mn ms mtext',
)

export const TABLE_SCOPE = names('html table template')

/** Inline elements whose end tag may come after the end of a block inside them. */
export const FORMATTING = names('a b big code em font i nobr s small strike strong tt u')

/** Elements that the standard calls special: the end tag of an unknown or inline element closes none of them. */
export const SPECIAL = names(
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd ' +
    'details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header ' +
    'hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript ' +
    'object ol p param plaintext pre script search section select source style summary table tbody td template ' +
    'textarea tfoot th thead title tr track ul wbr xmp',
)

/** Elements whose end tag ends everything inside them. */
export const BLOCK = names(
  'address applet article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer ' +
    'header hgroup listing main marquee menu nav object ol pre search section select summary ul template noscript ' +
    'dd dt p iframe noframes noembed xmp script style title textarea',
)

/** Elements allowed directly in a table or one of its parts; anything else is moved before the table. */
export const TABLE_PART = names('caption colgroup col tbody thead tfoot tr td th script style template')

export const TABLE_CONTEXT = names('table tbody thead tfoot tr')

export const TABLE_SECTION = names('tbody thead tfoot')

/** Elements of SVG and MathML that contain HTML. */
export const INTEGRATION_POINT = names('foreignobject desc title annotation-xml mi mo mn ms mtext')

/** HTML elements whose start tag ends an open `svg` or `math`. */
export const LEAVES_FOREIGN = names(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol ' +
    'p pre ruby s small span strong strike sub sup table tt u ul var',
)

/** Open elements that a start tag closes, by its name: `<option>` closes `option`, `<rt>` closes `rp`. */
export const ENDS_SIBLING: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['option', names('option')],
  ['optgroup', names('option optgroup')],
  ['rb', names('rb rt rp rtc')],
  ['rt', names('rb rt rp')],
  ['rp', names('rb rt rp')],
  ['rtc', names('rb rt rp rtc')],
])
