import { ownValue } from '../../../base/collections/own-value.js'
import { type Element, Text, append } from '../../html/tree.js'
import { createElement } from '../elements/create-element.js'
import { at, child, childrenNamed, elements, type XmlElement, xmlText } from '../package/xml.js'

/**
 * Converts an Office formula (OMML) to MathML, which the Markdown writer turns into LaTeX.
 *
 * @see ECMA-376 part 1, section 22.1
 */
export function readWordFormula(formula: XmlElement, isDisplayed = false): Element {
  const math = createElement('math', isDisplayed ? { display: 'block' } : {})
  fill(math, formula)
  return math
}

/** Appends the converted children of an element. */
function fill(into: Element, from: XmlElement | undefined): Element {
  for (const part of from === undefined ? [] : elements(from)) for (const node of read(part)) append(into, node)
  return into
}

/** Wraps an argument in one `mrow`, as MathML requires. */
const row = (from: XmlElement | undefined): Element => fill(createElement('mrow'), from)

type Reader = (element: XmlElement) => Element[]

function read(element: XmlElement): Element[] {
  const reader = READERS.get(element.name)
  if (reader !== undefined) return reader(element)
  return element.name.endsWith('Pr') ? [] : [row(element)]
}

/** Reads a property of an element, such as `m:chr` of `m:naryPr`. */
const property = (element: XmlElement, name: string): string | undefined =>
  at(element, `${element.name}Pr`, `m:${name}`)?.attributes['m:val']

const isSet = (element: XmlElement, name: string): boolean => {
  const found = at(element, `${element.name}Pr`, `m:${name}`)
  return found !== undefined && !/^(?:0|off|false)$/.test(found.attributes['m:val'] ?? '1')
}

const sign = (text: string): Element => createElement('mo', {}, [text])

const argument = (element: XmlElement, name: string): Element => row(child(element, `m:${name}`))

const scripts =
  (name: string, ...parts: readonly string[]): Reader =>
  (element) => [
    createElement(
      name,
      {},
      parts.map((part) => argument(element, part)),
    ),
  ]

const fraction: Reader = (element) => {
  const type = property(element, 'type')
  const attributes: Record<string, string> =
    type === 'noBar' ? { linethickness: '0' } : type === 'skw' || type === 'lin' ? { bevelled: 'true' } : {}
  return [createElement('mfrac', attributes, [argument(element, 'num'), argument(element, 'den')])]
}

const radical: Reader = (element) => {
  const degree = argument(element, 'deg')
  const base = argument(element, 'e')
  return isSet(element, 'degHide') || degree.children.length === 0
    ? [createElement('msqrt', {}, [base])]
    : [createElement('mroot', {}, [base, degree])]
}

/** Converts sums, products and integrals with their limits and operands. */
const nary: Reader = (element) => {
  const limits =
    property(element, 'limLoc') === 'undOvr' ? ['munder', 'mover', 'munderover'] : ['msub', 'msup', 'msubsup']
  const below = isSet(element, 'subHide') ? undefined : child(element, 'm:sub')
  const above = isSet(element, 'supHide') ? undefined : child(element, 'm:sup')
  const operator = sign(property(element, 'chr') ?? '∫')
  const given = [below, above].filter((part) => part !== undefined)
  const name = below === undefined ? limits[1] : above === undefined ? limits[0] : limits[2]
  const limited = given.length === 0 ? operator : createElement(name ?? 'mrow', {}, [operator, ...given.map(row)])
  return [limited, argument(element, 'e')]
}

/** Converts parts in brackets. */
const delimited: Reader = (element) => {
  const open = property(element, 'begChr') ?? '('
  const close = property(element, 'endChr') ?? ')'
  const between = property(element, 'sepChr') ?? '|'
  const parts = childrenNamed(element, 'm:e').flatMap((part, index) => [
    ...(index === 0 ? [] : [sign(between)]),
    row(part),
  ])
  return [
    createElement('mrow', {}, [...(open === '' ? [] : [sign(open)]), ...parts, ...(close === '' ? [] : [sign(close)])]),
  ]
}

const namedFunction: Reader = (element) => [
  createElement('mrow', {}, [fill(createElement('mrow'), child(element, 'm:fName')), argument(element, 'e')]),
]

const accented: Reader = (element) => [
  createElement('mover', { accent: 'true' }, [argument(element, 'e'), sign(property(element, 'chr') ?? '\u0302')]),
]

const barred: Reader = (element) =>
  property(element, 'pos') === 'top'
    ? [createElement('mover', {}, [argument(element, 'e'), sign('¯')])]
    : [createElement('munder', {}, [argument(element, 'e'), sign('_')])]

const grouped: Reader = (element) => {
  const brace = sign(property(element, 'chr') ?? '⏟')
  return property(element, 'pos') === 'top'
    ? [createElement('mover', {}, [argument(element, 'e'), brace])]
    : [createElement('munder', {}, [argument(element, 'e'), brace])]
}

const table = (rows: readonly (readonly XmlElement[])[]): Element[] => [
  createElement(
    'mtable',
    {},
    rows.map((cells) =>
      createElement(
        'mtr',
        {},
        cells.map((cell) => createElement('mtd', {}, [row(cell)])),
      ),
    ),
  ),
]

const SCRIPTS: Readonly<Record<string, string>> = {
  'double-struck': 'double-struck',
  script: 'script',
  fraktur: 'fraktur',
  'sans-serif': 'sans-serif',
  monospace: 'monospace',
}
const STYLES: Readonly<Record<string, string>> = { p: 'normal', b: 'bold', bi: 'bold-italic' }

/** Matches the tokens of a formula: numbers, letters, white space and operators. */
const TOKEN = /(\d+(?:[.,]\d+)*)|(\p{L}\p{M}*)|(\s+)|([^\s])/gu
const UPRIGHT_TOKEN = /(\d+(?:[.,]\d+)*)|((?:\p{L}\p{M}*)+)|(\s+)|([^\s])/gu

const run: Reader = (element) => {
  const properties = child(element, 'm:rPr')
  const text = childrenNamed(element, 'm:t')
    .map((part) => xmlText(part))
    .join('')
  if (child(properties, 'm:nor') !== undefined) return text === '' ? [] : [createElement('mtext', {}, [text])]
  const style = ownValue(STYLES, child(properties, 'm:sty')?.attributes['m:val'] ?? '')
  const variant = ownValue(SCRIPTS, child(properties, 'm:scr')?.attributes['m:val'] ?? '') ?? style
  const attributes: Record<string, string> = variant === undefined ? {} : { mathvariant: variant }
  const made: Element[] = []
  for (const [whole, number, letters, space] of text.matchAll(style === 'normal' ? UPRIGHT_TOKEN : TOKEN)) {
    // An ampersand is an alignment mark and is not displayed.
    if (space !== undefined || whole === '&') continue
    const name = number !== undefined ? 'mn' : letters !== undefined ? 'mi' : 'mo'
    const token = createElement(name, name === 'mi' ? attributes : {})
    append(token, new Text(whole))
    made.push(token)
  }
  return made
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['m:r', run],
  ['m:f', fraction],
  ['m:rad', radical],
  ['m:nary', nary],
  ['m:d', delimited],
  ['m:func', namedFunction],
  ['m:acc', accented],
  ['m:bar', barred],
  ['m:groupChr', grouped],
  ['m:sSup', scripts('msup', 'e', 'sup')],
  ['m:sSub', scripts('msub', 'e', 'sub')],
  ['m:sSubSup', scripts('msubsup', 'e', 'sub', 'sup')],
  ['m:limLow', scripts('munder', 'e', 'lim')],
  ['m:limUpp', scripts('mover', 'e', 'lim')],
  [
    'm:sPre',
    (element) => [
      createElement('mmultiscripts', {}, [
        argument(element, 'e'),
        createElement('mprescripts'),
        argument(element, 'sub'),
        argument(element, 'sup'),
      ]),
    ],
  ],
  ['m:borderBox', (element) => [createElement('menclose', { notation: 'box' }, [argument(element, 'e')])]],
  ['m:phant', (element) => [createElement(isSet(element, 'show') ? 'mrow' : 'mphantom', {}, [argument(element, 'e')])]],
  ['m:m', (element) => table(childrenNamed(element, 'm:mr').map((line) => childrenNamed(line, 'm:e')))],
  ['m:eqArr', (element) => table(childrenNamed(element, 'm:e').map((line) => [line]))],
])
