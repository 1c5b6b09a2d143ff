import { type Element, isElement, isHeading, isText, walk } from '../../html/tree.js'

/** The markup by which a generator separates its text from navigation. */
export interface GeneratorMarkup {
  /** True for the elements that contain the text. It is asked about blocks, and elements with a role or names. */
  readonly isPart: (element: Element) => boolean
  /** True for elements inside them that are not text, by their class names. */
  readonly isExcluded?: (element: Element) => boolean
  /**
   * True if the generator's sites have other pages as well, such as a landing page or a blog: a page without a part is
   * judged as one of any site. @default false: all of such a page is text
   */
  readonly hasOtherPages?: boolean
  /** True if lines of the text are buttons that open what is below them. @default false: a button is no text */
  readonly hasTextButtons?: boolean
}

/** True for a button with something to read: a title, or several parts such as the status and the meaning of a response. */
export function isTextButton(element: Element): boolean {
  if (element.name !== 'button' || element.attribs['role'] !== undefined) return false
  let parts = isIn(element, isHeading) ? 1 : 0
  walk(element, (node) => {
    if (isElement(node)) {
      if (node.name === 'strong') parts += 1
      return !FOR_SCREEN_READERS.test(node.attribs['class'] ?? '')
    }
    if (isText(node) && node.data.trim() !== '') parts += 1
    return parts < 2 ? true : 'stop'
  })
  return parts > 1
}

const FOR_SCREEN_READERS = /(?:^|\s)(?:sr-only|screen-?reader-only|visually-hidden)(?=\s|$)/

const hasId =
  (id: string) =>
  ({ attribs }: Element): boolean =>
    attribs['id'] === id

type ElementTest = (element: Element) => boolean

/** Maximum class names of an element that are compared with those of the text, and with those of other parts. */
const MAX_CLASSES = 20
const MAX_CLASSES_OF_OTHERS = 9

const hasClass = (...names: readonly string[]): ElementTest => createClassTest(names, MAX_CLASSES)
const isOther = (...names: readonly string[]): ElementTest => createClassTest(names, MAX_CLASSES_OF_OTHERS)

/** @param names words of letters, digits, `-` and `_` */
function createClassTest(names: readonly string[], most: number): ElementTest {
  const isName = (name: string): boolean => names.includes(name)
  // Hardly any element has one of the names, so that the class names of hardly any are split.
  const mayMatch = new RegExp(names.join('|'))
  return ({ attribs }) => {
    const own = attribs['class']
    return own !== undefined && mayMatch.test(own) && own.split(/\s+/, most).some(isName)
  }
}

const isMain = ({ name, attribs }: Element): boolean => name === 'main' || attribs['role'] === 'main'

const isIn = ({ parent }: Element, passes: (element: Element) => boolean): boolean =>
  parent !== null && isElement(parent) && passes(parent)
function isInside({ parent }: Element, name: string): boolean {
  for (let at = parent; at !== null && isElement(at); at = at.parent) if (at.name === name) return true
  return false
}

const isVitepressText = hasClass('vp-doc')
const isVuepressPage = hasClass('page', 'vp-page')
const isThemeContent = hasClass('theme-default-content')
const isVuepressText = (element: Element): boolean =>
  element.attribs['vp-content'] !== undefined || isThemeContent(element)
const isAntoraText = hasClass('doc')
const isOfLatexml = hasClass('ltx_document')
const isPaper = (element: Element): boolean => element.name === 'article' && isOfLatexml(element)
const isPkgdownText = hasClass('contents')

const isQtText = hasClass('mainContent')
const isColumn = hasClass('maincolumn')
const isScribbleText = hasClass('main')

const SCALADOC_PARTS: ReadonlySet<string> = new Set(['definition', 'signature', 'comment', 'template'])
const SCALADOC_OTHERS = isOther('permalink', 'morelinks', 'big-circle', 'conversion', 'parent')
const isShortComment = hasClass('shortcomment')
const isFullComment = hasClass('fullcomment')
/** True for the first sentence of a description beside the whole, which takes its place when a reader opens it. */
const isRepeated = (element: Element): boolean =>
  isShortComment(element) &&
  isIn(element, ({ children }) => children.some((node) => isElement(node) && isFullComment(node)))

/** Up to its eighth version, Javadoc has no element for the text alone. */
const JAVADOC: GeneratorMarkup = { isPart: isMain, isExcluded: isOther('topNav', 'subNav', 'bottomNav') }

/** With links that open and close parts. */
const YARD: GeneratorMarkup = {
  isPart: hasId('content'),
  isExcluded: isOther('summary_toggle', 'inheritanceTree'),
}

/** Search, links to headings and sources, and links to the pages before and after. */
const EXDOC_CONTROLS = 'top-search bottom-actions icon-action hover-link detail-link view-source'.split(' ')

const SWAGGER_CONTROLS = 'swagger-ui__skip-link topbar auth-wrapper expand-operation copy-to-clipboard try-out'.split(
  ' ',
)
/** A page about such a description may have its name in an example. */
const API_DESCRIPTION = { hasTextButtons: true, hasOtherPages: true } as const
const SCALAR_CONTROLS = 'api-reference-toolbar download-container screenreader-only show-more'.split(' ')

/** Generators whose main element has no role or contains more than the text. */
const GENERATORS: ReadonlyMap<string, GeneratorMarkup> = new Map<string, GeneratorMarkup>([
  [
    'doxygen',
    {
      isPart: hasClass('headertitle', 'contents'),
      // Links to the groups of a class, letter icons of kinds, tooltips, and buttons to expand levels.
      isExcluded: isOther('ingroups', 'icona', 'ttc', 'levels'),
    },
  ],
  ['javadoc', JAVADOC],
  ['groovydoc', JAVADOC],
  // The Apache projects' own generator, which links translations above and below the text.
  ['xml source', { isPart: hasId('page-content'), isExcluded: isOther('toplang', 'bottomlang', 'lang-toggle') }],
  ['gi-docgen', { isPart: hasId('main'), hasOtherPages: true }],
  ['haddock', { isPart: hasId('content') }],
  ['valadoc', { isPart: hasClass('site_content'), hasOtherPages: true }],
  // Tooltips about the type that a function returns, inside its code.
  ['rustdoc', { isPart: isMain, isExcluded: isOther('notable-traits') }],
  // Icons of Material for MkDocs that lead to the source of the page.
  ['mkdocs', { isPart: isMain, isExcluded: isOther('md-content__button', 'md-feedback') }],
  ['docusaurus', { isPart: hasClass('theme-doc-markdown'), hasOtherPages: true }],
  // Links to headings and icons of folders, in words for screen readers.
  ['starlight', { isPart: isMain, isExcluded: isOther('sl-anchor-link', 'sr-only') }],
  // On a landing page, the text of the first screen stands beside these elements.
  ['vitepress', { isPart: (element) => isVitepressText(element) && isIn(element, isMain), hasOtherPages: true }],
  ['vuepress', { isPart: (element) => isVuepressText(element) && isIn(element, isVuepressPage), hasOtherPages: true }],
  ['rspress', { isPart: hasClass('rspress-doc'), hasOtherPages: true }],
  // Not the hosted GitBook, which has the same name and other markup.
  ['gitbook', { isPart: hasClass('markdown-section'), hasOtherPages: true }],
  ['honkit', { isPart: hasClass('markdown-section'), hasOtherPages: true }],
  ['nextra', { isPart: isMain }],
  // Links beside headings to the heading and to an editor of its source.
  ['erlang', { isPart: hasId('content'), isExcluded: isOther('title-anchors') }],
  // Links to the source of a function and to its editor, and the column of menus.
  ['nim', { isPart: hasId('documentId'), isExcluded: isOther('link-seesrc', 'three', 'theme-switch-wrapper') }],
  ['yard', YARD],
  // By the link to its site.
  ['yardoc', YARD],
  ['crystal docs', { isPart: hasClass('main-content') }],
  ['exdoc', { isPart: hasId('content'), isExcluded: isOther(...EXDOC_CONTROLS) }],
  ['antora', { isPart: (element) => element.name === 'article' && isAntoraText(element), hasOtherPages: true }],
  ['docfx', { isPart: ({ name }) => name === 'article', hasOtherPages: true }],
  ['swagger ui', { isPart: hasClass('swagger-ui'), isExcluded: isOther(...SWAGGER_CONTROLS), ...API_DESCRIPTION }],
  // Links to headings, and buttons that copy code.
  [
    'readme',
    {
      isPart: hasClass('entry-content'),
      isExcluded: isOther('anchor', 'zeroclipboard-container'),
      hasOtherPages: true,
    },
  ],
  ['redoc', { isPart: hasClass('api-content'), ...API_DESCRIPTION }],
  ['scalar', { isPart: hasClass('references-rendered'), isExcluded: isOther(...SCALAR_CONTROLS), ...API_DESCRIPTION }],
  // A paper, without the bar of the site. Pages of a manual have no `article`. Class of a notice about the conversion.
  ['latexml', { isPart: isPaper, isExcluded: isOther('package-alerts'), hasOtherPages: true }],
  ['rapidoc', { isPart: (element) => isMain(element) && isInside(element, 'rapi-doc'), hasOtherPages: true }],
  // Its services, operations, schemas and articles.
  ['elements', { isPart: hasClass('HttpService', 'HttpOperation', 'Model', 'sl-article'), hasOtherPages: true }],
  // The text, or the source of a module without the column of line numbers. A page of its first version has neither.
  [
    'odoc',
    {
      isPart: hasClass('odoc-preamble', 'odoc-content', 'source_container'),
      isExcluded: isOther('source_link', 'source_line_column'),
      hasOtherPages: true,
    },
  ],
  // A link to each member and to the package, the letter of the kind, and headings of groups that a script fills.
  [
    'scaladoc',
    {
      isPart: ({ attribs }) => SCALADOC_PARTS.has(attribs['id'] ?? ''),
      isExcluded: (element) => SCALADOC_OTHERS(element) || isRepeated(element),
    },
  ],
  // Links to the pages before and after, and to the sections of the page, in the text.
  [
    'qdoc',
    { isPart: (element) => isMain(element) || isQtText(element), isExcluded: isOther('naviNextPrevious', 'sidebar') },
  ],
  // Has no element for the text, only a bar of links above it.
  ['fpdoc', { isPart: isMain, isExcluded: isOther('bar') }],
  // Links to the pages before and after, and the version of Racket in a corner.
  [
    'scribble',
    {
      isPart: (element) => isScribbleText(element) && isIn(element, isColumn),
      isExcluded: isOther('navsettop', 'navsetbottom', 'versionbox'),
      hasOtherPages: true,
    },
  ],
  // Without `main` before its second version.
  ['pkgdown', { isPart: (element) => isMain(element) || isPkgdownText(element), hasOtherPages: true }],
])

const DEFAULT_MARKUP: GeneratorMarkup = { isPart: isMain }

/** Returns the markup of a generator that `findGenerator` names. */
export const markupOf = (generator: string): GeneratorMarkup => GENERATORS.get(generator) ?? DEFAULT_MARKUP
