import { decodeEntities } from '../../html/decode-entities.js'
import {
  type Document,
  type Element,
  findElement,
  isElement,
  setChildren,
  Text,
  textOf,
  walk,
} from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'

const TERMINAL = /(?:^|\s)termy(?:\s|$)/
/** Tags of the colours and styles of a terminal. Other tags in a listing are its text. */
const STYLE_TAG = /<\/?(?:font|span|u|b|i|em|strong|a)(?:\s[^<>]{0,500})?>/g
/** Maximum length of a listing. Characters. */
const MAX_LENGTH = 200_000

/**
 * Writes the output of commands as it is shown: its colours are tags in the text of a listing, which the script of Termynal
 * makes elements of.
 *
 * @see https://github.com/termynal/termynal.py
 */
export const terminals: TreeRepair = { mark: /termynal/, classSign: /termy/, apply: readTerminals }

function readTerminals(document: Document): void {
  const listings: Element[] = []
  walk(document, (node) => {
    if (!isElement(node) || !TERMINAL.test(node.attribs['class'] ?? '')) return true
    const listing = findElement(node, ({ name }) => name === 'pre')
    if (listing !== undefined) listings.push(listing)
    return false
  })
  for (const listing of listings) {
    const code = findElement(listing, ({ name }) => name === 'code') ?? listing
    const text = textOf(code)
    if (text.length <= MAX_LENGTH && STYLE_TAG.test(text))
      setChildren(code, [new Text(decodeEntities(text.replaceAll(STYLE_TAG, '')))])
    STYLE_TAG.lastIndex = 0
  }
}
