import { type ChildNode, type Element, collapse, isElement, isText, textOf } from '../../html/tree.js'
import { writeMatrix, writeRow } from './mathml-rows.js'
import { TEX_ACCENTS, TEX_FUNCTIONS, TEX_LOWER_ACCENTS, texSymbols } from './tex-symbols.js'
import { ownValue } from '../../../base/collections/own-value.js'

/**
 * Converts Presentation MathML to LaTeX. Recursion is safe, because the parser bounds the depth.
 *
 * @see https://www.w3.org/TR/mathml-core/#presentation-markup
 * @see https://www.w3.org/TR/MathML3/chapter3.html (`mfenced`, `mmultiscripts`)
 */
export function mathmlToTex(element: Element): string {
  const translate = TRANSLATORS[element.name]
  if (translate !== undefined) return translate(element)
  return element.name === 'annotation' || element.name === 'annotation-xml' ? '' : row(element)
}

type Translator = (element: Element) => string

/** Returns the elements inside, and texts beside them. */
const parts = ({ children }: Element): ChildNode[] =>
  children.filter((child) => isElement(child) || (isText(child) && child.data.trim() !== ''))

const translatePart = (part: ChildNode | undefined): string => {
  if (part === undefined) return ''
  if (isElement(part)) return mathmlToTex(part)
  return isText(part) ? texSymbols(collapse(part.data)) : ''
}

const row: Translator = (element) =>
  writeRow(parts(element).map((part) => ({ element: isElement(part) ? part : undefined, tex: translatePart(part) })))

/** Writes the argument of a command, which groups all contents of the part. */
const group = (part: ChildNode | undefined): string => `{${translatePart(part).trim()}}`

/** Writes the base of scripts: in braces unless it is one sign, a command, or brackets around something. */
function base(part: ChildNode | undefined): string {
  const tex = translatePart(part).trim()
  return /^(?:[^\\{}^_]|\\[a-zA-Z]+(?:\{[^{}]*\})?|\\[{}|%#&$]|[\d.,]+)$/u.test(tex) ? tex : `{${tex}}`
}

const script = (sign: '_' | '^', part: ChildNode | undefined): string => {
  const tex = translatePart(part).trim()
  if (tex === '') return ''
  if (sign === '^' && /^(?:\\prime)+$/.test(tex)) return "'".repeat(tex.length / 6)
  return /^[A-Za-z\d]$/.test(tex) ? `${sign}${tex}` : `${sign}{${tex}}`
}

const signOf = (part: ChildNode | undefined): string =>
  part !== undefined && isElement(part) ? textOf(part).trim() : ''

/** Writes an accent or a brace above, a text above a sign, or an upper limit. */
function over(below: ChildNode | undefined, above: ChildNode | undefined): string {
  const accent = ownValue(TEX_ACCENTS, signOf(above))
  const inner = translatePart(below).trim()
  if (accent !== undefined) return `\\${accent[Array.from(signOf(below)).length > 1 ? 1 : 0]}{${inner}}`
  if (takesLimits(inner)) return `${inner}${script('^', above)} `
  if (/^\\(?:long)?(?:rightarrow|leftarrow)$/.test(inner))
    return `\\x${inner.includes('right') ? 'rightarrow' : 'leftarrow'}${group(above)}`
  return `\\overset${group(above)}{${inner}}`
}

function under(above: ChildNode | undefined, below: ChildNode | undefined): string {
  const accent = ownValue(TEX_LOWER_ACCENTS, signOf(below))
  const inner = translatePart(above).trim()
  if (accent !== undefined) return `\\${accent}{${inner}}`
  return takesLimits(inner) ? `${inner}${script('_', below)} ` : `\\underset${group(below)}{${inner}}`
}

/** True if limits below and above are written as `_` and `^`: for sums, limits, braces. */
const takesLimits = (tex: string): boolean =>
  /^\\(?:sum|prod|coprod|i*int|oint|big[a-z]+|lim(?:inf|sup)?|max|min|sup|inf|det|gcd|Pr|operatorname\*?\{[^{}]*\})$/.test(
    tex,
  ) || /^\\(?:under|over)brace\{/.test(tex)

const VARIANTS: Readonly<Record<string, string | undefined>> = {
  normal: 'mathrm',
  bold: 'mathbf',
  'bold-italic': 'boldsymbol',
  'double-struck': 'mathbb',
  script: 'mathcal',
  'bold-script': 'mathcal',
  fraktur: 'mathfrak',
  'bold-fraktur': 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
}

const identifier: Translator = (element) => {
  const text = collapse(textOf(element))
  if (TEX_FUNCTIONS.has(text)) return `\\${text}`
  const tex = texSymbols(text)
  const command = ownValue(VARIANTS, element.attribs['mathvariant'] ?? '')
  if (tex.startsWith('\\')) return tex
  const isWord = /^\p{L}[\p{L}\s-]+$/u.test(text)
  if (isWord && (command === undefined || command === 'mathrm')) return `\\operatorname{${tex}}`
  return command === undefined || tex === '' ? tex : `\\${command}{${tex}}`
}

const operator: Translator = (element) => {
  const text = collapse(textOf(element))
  if (TEX_FUNCTIONS.has(text)) return `\\${text}`
  if (/^[a-z]{2,}$/i.test(text)) return `\\operatorname{${text}}`
  return text === '||' ? '\\Vert' : texSymbols(text)
}

const quoted: Translator = (element) => {
  const text = textOf(element).replace(/[\s\u00A0]+/g, ' ')
  if (text.trim() === '') return text === '' ? '' : '\\ '
  return `\\text{${text.replace(/[\\{}$%#&_]/g, (sign) => (sign === '\\' ? '\\textbackslash ' : `\\${sign}`))}}`
}

const space: Translator = ({ attribs }) => {
  if (attribs['linebreak'] === 'newline') return '\\\\'
  const width = attribs['width'] ?? ''
  const amount = Number.parseFloat(width) * (width.endsWith('px') ? 1 / 16 : 1)
  return amount >= 2 ? '\\qquad ' : amount >= 0.9 ? '\\quad ' : amount > 0.1 ? '\\,' : ''
}

const multiscripts: Translator = (element) => {
  const [inner, ...rest] = parts(element)
  const turn = rest.findIndex((part) => isElement(part) && part.name === 'mprescripts')
  const pairs = (list: ChildNode[]): string => {
    let tex = ''
    for (let at = 0; at < list.length; at += 2) tex += `${script('_', list[at])}${script('^', list[at + 1])}`
    return tex
  }
  const before = turn < 0 ? '' : pairs(rest.slice(turn + 1))
  return `${before === '' ? '' : `{}${before}`}${base(inner)}${pairs(turn < 0 ? rest : rest.slice(0, turn))}`
}

const fenced: Translator = (element) => {
  const { open = '(', close = ')', separators = ',' } = element.attribs
  const signs = Array.from(separators.replace(/\s/g, ''))
  const inside = parts(element)
    .map((part, at) => `${at === 0 ? '' : (signs[at - 1] ?? signs.at(-1) ?? '')}${translatePart(part)}`)
    .join('')
  const only = parts(element)[0]
  return writeRow([
    { fence: true, tex: texSymbols(open) },
    { element: parts(element).length === 1 && only !== undefined && isElement(only) ? only : undefined, tex: inside },
    { fence: true, tex: texSymbols(close) },
  ])
}

const ENCLOSURES: Readonly<Record<string, string | undefined>> = {
  box: 'boxed',
  roundedbox: 'boxed',
  updiagonalstrike: 'cancel',
  downdiagonalstrike: 'bcancel',
  top: 'overline',
  bottom: 'underline',
  radical: 'sqrt',
}

const enclosed: Translator = (element) => {
  const command = (element.attribs['notation'] ?? '')
    .split(/\s+/)
    .map((name) => ownValue(ENCLOSURES, name))
    .find(Boolean)
  return command === undefined ? row(element) : `\\${command}{${row(element)}}`
}

const first: Translator = (element) => translatePart(parts(element)[0])

const TRANSLATORS: Readonly<Record<string, Translator | undefined>> = Object.assign(Object.create(null), {
  mi: identifier,
  mn: (element) => texSymbols(collapse(textOf(element))),
  mo: operator,
  ms: quoted,
  mtext: quoted,
  mspace: space,
  mfrac: (element) => {
    const [above, below] = parts(element)
    if (/^0(?![.\d]*[1-9])/.test(element.attribs['linethickness'] ?? ''))
      return `{${translatePart(above)} \\atop ${translatePart(below)}}`
    return element.attribs['bevelled'] === 'true'
      ? `${base(above)}/${base(below)}`
      : `\\frac${group(above)}${group(below)}`
  },
  msqrt: (element) => `\\sqrt{${row(element).trim()}}`,
  mroot: (element) => `\\sqrt[${translatePart(parts(element)[1]).trim()}]${group(parts(element)[0])}`,
  msup: (element) => base(parts(element)[0]) + script('^', parts(element)[1]),
  msub: (element) => base(parts(element)[0]) + script('_', parts(element)[1]),
  msubsup: (element) => {
    const tex = base(parts(element)[0])
    const scripts = script('_', parts(element)[1]) + script('^', parts(element)[2])
    return takesLimits(tex) ? `${tex}${scripts} ` : tex + scripts
  },
  mover: (element) => over(parts(element)[0], parts(element)[1]),
  munder: (element) => under(parts(element)[0], parts(element)[1]),
  munderover: (element) => {
    const [inner, below, above] = parts(element)
    const tex = translatePart(inner).trim()
    if (takesLimits(tex)) return `${tex}${script('_', below)}${script('^', above)} `
    return `\\underset${group(below)}{\\overset${group(above)}{${tex}}}`
  },
  mmultiscripts: multiscripts,
  mfenced: fenced,
  menclose: enclosed,
  mphantom: (element) => `\\phantom{${row(element)}}`,
  mtable: (element) => writeMatrix(element, (cell) => row(cell).trim()),
  semantics: first,
  maction: first,
  none: () => '',
  mprescripts: () => '',
} satisfies Record<string, Translator>)
