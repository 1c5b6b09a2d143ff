import {
  type ChildNode,
  type Element,
  collapse,
  findElement,
  isElement,
  isText,
  textOf,
  walk,
} from '../../html/tree.js'

/**
 * Elements that a cell may contain besides its sign, or that a sign consists of. Links, buttons and fields have
 * meanings of their own.
 */
const PARTS: ReadonlySet<string> = new Set('b div em figure i img p picture source span strong svg'.split(' '))

/** Maximum length of a sign's label. */
const MAX_LABEL_LENGTH = 40

const YES = new Set(['check', 'checked', 'checkmark', 'tick', 'ticked', 'true', 'yes'])
const NO = new Set(['close', 'cross', 'crossed', 'false', 'no', 'remove', 'times', 'uncheck', 'unchecked', 'xmark'])
/** Words that count only at the end of a name: `icon-yes` is an icon, `no-padding` is not. */
const AT_THE_END = new Set(['no', 'yes'])

/**
 * Returns the text for a table cell that contains only an icon, as in product comparisons. It is the icon's accessible
 * label if there is one. Otherwise it is yes or no by the icon's class or file name: in words on an English page, and
 * as `✓` or `✗` on others.
 *
 * @param language of the page; an unknown one counts as English
 * @returns undefined for a cell with text, with controls, with an image that has alternative text, or with an unknown
 * sign
 * @see https://www.w3.org/TR/wai-aria-1.2/#aria-label
 */
export function readSign(cell: Element, language: string): string | undefined {
  const sign: Sign = { parts: [], isSign: true }
  walk(cell, readPart, undefined, sign)
  const { parts, isSign } = sign
  if (!isSign || parts.length === 0) return undefined
  const labels = new Set(parts.map(labelOf).filter((label) => label !== ''))
  const [label = ''] = labels
  if (labels.size === 1 && label.length <= MAX_LABEL_LENGTH) return label
  const answers = new Set(parts.flatMap(answersOf))
  if (answers.size !== 1) return undefined
  const isYes = answers.has(true)
  return /^(?:en\b|$)/i.test(language) ? (isYes ? 'Yes' : 'No') : isYes ? '✓' : '✗'
}

/** The elements of a cell that has nothing but a sign, as far as they are read. */
interface Sign {
  readonly parts: Element[]
  isSign: boolean
}

function readPart(node: ChildNode, sign: Sign): boolean | 'stop' {
  if (isElement(node)) {
    sign.isSign = isPart(node) && (node.name !== 'img' || collapse(node.attribs['alt'] ?? '') === '')
    sign.parts.push(node)
  } else sign.isSign = !isText(node) || node.data.trim() === ''
  if (!sign.isSign) return 'stop'
  return !isElement(node) || node.name !== 'svg'
}

/** A check box that nobody can click is a sign as well. */
const isPart = ({ name, attribs }: Element): boolean =>
  PARTS.has(name) ||
  (name === 'input' && attribs['type']?.toLowerCase() === 'checkbox' && attribs['disabled'] !== undefined)

function labelOf(element: Element): string {
  const { attribs, name } = element
  if (name === 'input') return ''
  const title = name === 'svg' ? findElement(element, (inner) => inner.name === 'title') : undefined
  return collapse(attribs['aria-label'] ?? (title ? textOf(title) : (attribs['title'] ?? '')))
}

/** Returns yes, no, both or neither, by the names of an element or its image. */
function answersOf(element: Element): boolean[] {
  const { attribs, name } = element
  if (name === 'input') return [attribs['checked'] !== undefined]
  const names = [...(attribs['class'] ?? '').split(/\s+/), attribs['data-icon'] ?? '', nameIn(addressOf(element))]
  return names.flatMap((one) => {
    const words = one.toLowerCase().split(/[^a-z]+/)
    return words.flatMap((word, at) => {
      if (AT_THE_END.has(word) && words.slice(at + 1).some((after) => after !== '')) return []
      return YES.has(word) ? [true] : NO.has(word) ? [false] : []
    })
  })
}

/** Returns the URL of an image, or of a symbol in a sprite. */
function addressOf(element: Element): string {
  if (element.name === 'img') return element.attribs['src'] ?? ''
  const use = element.name === 'svg' ? findElement(element, ({ name }) => name === 'use') : undefined
  return use?.attribs['href'] ?? use?.attribs['xlink:href'] ?? ''
}

/** Returns the name of a file, or of a fragment of it. */
const nameIn = (address: string): string =>
  address.startsWith('data:') ? '' : (/([^/#]*?)(?:\.\w+)?\/?$/.exec(address.split('?', 1)[0] ?? '')?.[1] ?? '')
