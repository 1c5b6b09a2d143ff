import { type Element, append, hasText, isElement, walk } from '../../html/tree.js'
import { isCodeFont } from '../elements/line-builder.js'
import { createElement, takeChildren } from '../elements/create-element.js'

/** Elements such as `strong` that are equivalent to the formatting of each CSS class of a book. */
type ClassMarks = ReadonlyMap<string, readonly string[]>

const MAX_RULES = 20_000

// One class with an optional element name, as programs write it. The pattern is unambiguous, so it is linear.
const SELECTOR = /^(?:span|a|b|i|font|small)?\.([\w-]{1,100})$/

/** Returns the innermost rule that ends at the end of this part of a style sheet. */
function readRule(part: string): readonly [selectors: string, declarations: string] {
  const begin = part.lastIndexOf('{')
  if (begin < 0) return ['', '']
  return [part.slice(part.lastIndexOf('{', begin - 1) + 1, begin), part.slice(begin + 1)]
}

/** @param sheets the texts of the style sheets, in order */
export function readClassMarks(sheets: readonly string[]): ClassMarks {
  const marks = new Map<string, readonly string[]>()
  let rules = 0
  for (const sheet of sheets)
    for (const part of sheet.replace(/\/\*[^]*?(?:\*\/|$)/g, '').split('}')) {
      const [selectors, declarations] = readRule(part)
      rules += 1
      if (rules > MAX_RULES) return marks
      const found = readMarks(declarations)
      if (found.length === 0) continue
      for (const selector of selectors.split(',')) {
        const name = SELECTOR.exec(selector.trim())?.[1]
        if (name !== undefined) marks.set(name, found)
      }
    }
  return marks
}

function readMarks(declarations: string): string[] {
  const properties = new Map(
    declarations.split(';').map((declaration): [string, string] => {
      const [name = '', ...value] = declaration.split(':')
      return [name.trim().toLowerCase(), value.join(':').trim().toLowerCase()]
    }),
  )
  const weight = properties.get('font-weight') ?? ''
  const isSmall = /^0?\.\d+em$|^[1-8]?\d(?:\.\d+)?%$|^(?:x*-)?small(?:er)?$/.test(properties.get('font-size') ?? '')
  const align = properties.get('vertical-align')
  const shift =
    isSmall && properties.get('position') === 'relative' ? Number.parseFloat(properties.get('top') ?? '0') : 0
  return [
    ...(/^bold|^[6-9]00$/.test(weight) ? ['strong'] : []),
    ...(/^(?:italic|oblique)/.test(properties.get('font-style') ?? '') ? ['em'] : []),
    ...(/line-through/.test(properties.get('text-decoration') ?? '') ? ['del'] : []),
    ...(align === 'super' || shift < 0 ? ['sup'] : align === 'sub' || shift > 0 ? ['sub'] : []),
    ...(isCodeFont(properties.get('font-family')) ? ['code'] : []),
  ]
}

/** Wraps the text of `span`s with formatting classes in equivalent elements. */
export function applyClassMarks(content: Element, marks: ClassMarks): void {
  if (marks.size === 0) return
  const found: { readonly span: Element; readonly names: readonly string[] }[] = []
  walk(content, (node) => {
    if (!isElement(node) || node.name !== 'span') return
    const names = (node.attribs['class'] ?? '').split(/\s+/).flatMap((name) => marks.get(name) ?? [])
    if (names.length > 0) found.push({ span: node, names: [...new Set(names)] })
  })
  for (const { span, names } of found) {
    if (!hasText(span)) continue
    let inner = span
    for (const name of names) {
      const wrapper = createElement(name, {}, takeChildren(inner))
      append(inner, wrapper)
      inner = wrapper
    }
  }
}
