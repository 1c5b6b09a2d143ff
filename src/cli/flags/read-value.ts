import type { ValueType } from './flag-options.js'

/** Value of a flag, or its problem. The problem never quotes the text, which may be a secret. */
type ReadValue = { readonly value: unknown } | { readonly problem: string }

/**
 * Parses the text of a flag.
 *
 * Only the syntax is checked here: the engine checks the value, so a word in place of a number is passed on as it is.
 */
export function readValue(text: string, valueType: ValueType): ReadValue {
  const has = (kind: ValueType['kinds'][number]): boolean => valueType.kinds.includes(kind)
  if (has('list')) return readItems(text, valueType.item ?? valueType)
  if (has('object') && text.startsWith('{')) return readJson(text)
  if (has('record')) return text.startsWith('{') ? readJson(text) : readPair(text)
  if (has('boolean') && (!has('string') || isSwitchText(text))) return readSwitch(text, has('object'))
  return { value: has('number') ? toNumber(text) : text }
}

/** Returns the number that a text is; another text as it is, so that the engine's message shows it. */
const toNumber = (text: string): number | string =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

/** Combines several uses of one flag: lists and records are merged, otherwise the last use wins. */
export function joinValues(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...(before as unknown[]), ...(value as unknown[])]
  return isRecord(before) && isRecord(value) ? { ...before, ...value } : value
}

function readItems(text: string, item: ValueType): ReadValue {
  // A pattern or a selector may contain commas, braces and brackets.
  const isNumber = item.kinds.includes('number')
  if (!isNumber && !item.kinds.includes('object')) return { value: [text] }
  if (text.startsWith('[')) return readJson(text)
  if (isNumber) return { value: text.split(',').map(toNumber) }
  if (!text.startsWith('{')) return { value: text.split(',').map((name) => name.trim()) }
  const read = readJson(text)
  return 'value' in read ? { value: [read.value] } : read
}

function readJson(text: string): ReadValue {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    // The parser's message quotes its input, which may be a password.
    const place = error instanceof Error ? / at position \d+/.exec(error.message)?.[0] : undefined
    return { problem: `is not valid JSON${place ?? ''}` }
  }
}

function readPair(text: string): ReadValue {
  const colon = text.indexOf(':')
  if (colon < 1) return { problem: "needs the form 'Name: value'" }
  return { value: { [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() } }
}

function readSwitch(text: string, orObject: boolean): ReadValue {
  if (isSwitchText(text)) return { value: text === 'true' }
  return { problem: orObject ? 'takes =true, =false or =JSON' : 'takes no value, or =true or =false' }
}

const isSwitchText = (text: string): boolean => text === 'true' || text === 'false'

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
