import { type Element, collapse, findElement, isElement, isText, textOf, walk } from '../../html/tree.js'

/** What a cell may have around its sign, and what a sign is made of. Links, buttons and fields say something else. */
const PARTS: ReadonlySet<string> = new Set('b div em figure i img p picture source span strong svg'.split(' '))

/** Longer ones are no answer. */
const MAX_LABEL_LENGTH = 40

const YES = new Set(['check', 'checked', 'checkmark', 'tick', 'ticked', 'true', 'yes'])
const NO = new Set(['close', 'cross', 'crossed', 'false', 'no', 'remove', 'times', 'uncheck', 'unchecked', 'xmark'])
/** Say something only at the end of a name: `icon-yes` is a sign, `no-padding` is none. */
const AT_THE_END = new Set(['no', 'yes'])

/**
 * What a table's cell says with a sign alone, as comparisons of products do: by the sign's own label, else by what it is called,
 * a check mark or a cross: in words on an English page, as a person would write it down.
 *
 * @param language of the page; one that is not known counts as English
 * @returns undefined for a cell with a text, with something to press, with a picture that has a text, or with a sign unknown
 * @see WAI-ARIA 1.2, `aria-label`
 */
export function readSign(cell: Element, language: string): string | undefined {
  const parts: Element[] = []
  let isSign = true
  walk(cell, (node) => {
    if (isElement(node)) {
      isSign &&= PARTS.has(node.name) && (node.name !== 'img' || collapse(node.attribs['alt'] ?? '') === '')
      parts.push(node)
    } else isSign &&= !isText(node) || node.data.trim() === ''
    if (!isSign) return 'stop'
    return !isElement(node) || node.name !== 'svg'
  })
  if (!isSign || parts.length === 0) return undefined
  const labels = new Set(parts.map(labelOf).filter((label) => label !== ''))
  const [label = ''] = labels
  if (labels.size === 1 && label.length <= MAX_LABEL_LENGTH) return label
  const answers = new Set(parts.flatMap(answersOf))
  if (answers.size !== 1) return undefined
  const isYes = answers.has(true)
  return /^(?:en\b|$)/i.test(language) ? (isYes ? 'Yes' : 'No') : isYes ? '✓' : '✗'
}

function labelOf(element: Element): string {
  const { attribs, name } = element
  const title = name === 'svg' ? findElement(element, (inner) => inner.name === 'title') : undefined
  return collapse(attribs['aria-label'] ?? (title ? textOf(title) : (attribs['title'] ?? '')))
}

/** Yes, no, both or neither, by what an element or its picture is called. */
function answersOf(element: Element): boolean[] {
  const { attribs } = element
  const names = [...(attribs['class'] ?? '').split(/\s+/), attribs['data-icon'] ?? '', nameIn(addressOf(element))]
  return names.flatMap((one) => {
    const words = one.toLowerCase().split(/[^a-z]+/)
    return words.flatMap((word, at) => {
      if (AT_THE_END.has(word) && words.slice(at + 1).some((after) => after !== '')) return []
      return YES.has(word) ? [true] : NO.has(word) ? [false] : []
    })
  })
}

/** Where a picture, or a sign of a sheet of them, comes from. */
function addressOf(element: Element): string {
  if (element.name === 'img') return element.attribs['src'] ?? ''
  const use = element.name === 'svg' ? findElement(element, ({ name }) => name === 'use') : undefined
  return use?.attribs['href'] ?? use?.attribs['xlink:href'] ?? ''
}

/** What a file, or a part of one, is called. */
const nameIn = (address: string): string =>
  address.startsWith('data:') ? '' : (/([^/#]*?)(?:\.\w+)?\/?$/.exec(address.split('?', 1)[0] ?? '')?.[1] ?? '')
