import { BLOCK_ELEMENTS, type ChildNode, type Document, isElement, isText, type Text, walk } from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'

/** A UUID, or another name in hexadecimal digits. */
const TOKEN = /^(?=.{0,40}[a-f])(?=.{0,40}\d)[\da-f][\da-f-]{15,47}$/i
const MARK = />[\da-f]{8}[\da-f-]{8}/i
/** Minimum tokens of a label, and maximum characters of a text between two, which has no space around it. */
const MIN_TOKENS = 2
const MAX_LETTERS = 8

/**
 * Removes the tokens between the letters of a label. Pages write `Sponsored` so, with a style sheet that hides the tokens, for programs
 * that look for the word.
 */
export const scrambledLabels: TreeRepair = { mark: MARK, sign: MARK, apply: clearLabels }

function clearLabels(document: Document): void {
  let tokens: Text[] = []
  const end = (): void => {
    if (tokens.length >= MIN_TOKENS) for (const token of tokens) token.data = ''
    tokens = []
  }
  const atBlock = (node: ChildNode): void => {
    if (isElement(node) && (BLOCK_ELEMENTS.has(node.name) || node.name === 'code')) end()
  }
  walk(
    document,
    (node) => {
      atBlock(node)
      if (!isText(node)) return
      const text = node.data.trim()
      if (TOKEN.test(text)) tokens.push(node)
      else if (text.length > MAX_LETTERS || (text !== '' && /\s/.test(node.data))) end()
    },
    atBlock,
  )
}
