import { type Element, isElement } from '../../html/tree.js'

/** The markup by which a generator separates its text from navigation. */
export interface GeneratorMarkup {
  /** True for the elements that contain the text. */
  readonly isPart: (element: Element) => boolean
  /** Class names of elements inside them that are not text. */
  readonly excluded?: ReadonlySet<string>
  /**
   * True if the generator's sites have other pages as well, such as a landing page or a blog: a page without a part is
   * judged as one of any site. @default false: all of such a page is text
   */
  readonly hasOtherPages?: boolean
}

const hasId =
  (id: string) =>
  ({ attribs }: Element): boolean =>
    attribs['id'] === id
const hasClass =
  (...names: readonly string[]) =>
  ({ attribs }: Element): boolean =>
    attribs['class']?.split(/\s+/, MAX_CLASSES).some((name) => names.includes(name)) ?? false
const isMain = ({ name, attribs }: Element): boolean => name === 'main' || attribs['role'] === 'main'

const isIn = ({ parent }: Element, passes: (element: Element) => boolean): boolean =>
  parent !== null && isElement(parent) && passes(parent)
const isVuepressText = (element: Element): boolean =>
  element.attribs['vp-content'] !== undefined || hasClass('theme-default-content')(element)

/** Class names of an element that are compared. */
const MAX_CLASSES = 20

/** Generators whose main element has no role or contains more than the text. */
const GENERATORS: ReadonlyMap<string, GeneratorMarkup> = new Map<string, GeneratorMarkup>([
  [
    'doxygen',
    {
      isPart: hasClass('headertitle', 'contents'),
      // Links to the groups of a class, letter icons of kinds, tooltips, and buttons to expand levels.
      excluded: new Set(['ingroups', 'icona', 'ttc', 'levels']),
    },
  ],
  // The Apache projects' own generator, which links translations above and below the text.
  ['xml source', { isPart: hasId('page-content'), excluded: new Set(['toplang', 'bottomlang', 'lang-toggle']) }],
  ['gi-docgen', { isPart: hasId('main') }],
  ['haddock', { isPart: hasId('content') }],
  // Tooltips about the type that a function returns, inside its code.
  ['rustdoc', { isPart: isMain, excluded: new Set(['notable-traits']) }],
  // Icons of Material for MkDocs that lead to the source of the page.
  ['mkdocs', { isPart: isMain, excluded: new Set(['md-content__button', 'md-feedback']) }],
  ['docusaurus', { isPart: hasClass('theme-doc-markdown'), hasOtherPages: true }],
  // Links to headings and icons of folders, in words for screen readers.
  ['starlight', { isPart: isMain, excluded: new Set(['sl-anchor-link', 'sr-only']) }],
  // On a landing page, the text of the first screen stands beside these elements.
  ['vitepress', { isPart: (element) => hasClass('vp-doc')(element) && isIn(element, isMain), hasOtherPages: true }],
  [
    'vuepress',
    { isPart: (element) => isVuepressText(element) && isIn(element, hasClass('page', 'vp-page')), hasOtherPages: true },
  ],
  ['rspress', { isPart: hasClass('rspress-doc'), hasOtherPages: true }],
  // Not the hosted GitBook, which has the same name and other markup.
  ['gitbook', { isPart: hasClass('markdown-section'), hasOtherPages: true }],
  ['honkit', { isPart: hasClass('markdown-section'), hasOtherPages: true }],
  ['nextra', { isPart: isMain }],
])

const DEFAULT_MARKUP: GeneratorMarkup = { isPart: isMain }

/** Returns the markup of a generator that `findGenerator` names. */
export const markupOf = (generator: string): GeneratorMarkup => GENERATORS.get(generator) ?? DEFAULT_MARKUP
