/** Divides a text at its commas, but those in brackets. */
export const splitAtCommas = (text: string): string[] => split(text, ',')

/** Divides a text at its spaces, but those in brackets. */
export const splitAtSpaces = (text: string): string[] => split(text, ' ').filter(Boolean)

function split(text: string, sign: ',' | ' '): string[] {
  if (!text.includes('(') && !text.includes('[')) return text.split(sign === ',' ? ',' : /\s+/)
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: found, index } of text.matchAll(sign === ',' ? /[,()[\]]/g : /[\s()[\]]/g)) {
    if (found === '(' || found === '[') depth += 1
    else if (found === ')' || found === ']') depth -= 1
    else if (depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** Returns the index of the round bracket that closes the one before `from`, else the length of the text. */
export function closeOf(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

/** A function of CSS with its arguments. */
export interface StyleFunction {
  readonly name: string
  readonly args: readonly string[]
}

/** Reads the functions that a value consists of, such as those of `transform`. */
export function functionsIn(value: string): StyleFunction[] {
  if (!value.includes('(')) return []
  return splitAtSpaces(value.replace(/\)(?=[a-z])/g, ') ')).flatMap((one) => {
    const [, name, inner = ''] = /^([\w-]+)\(([^]*)\)$/.exec(one) ?? []
    return name === undefined ? [] : [{ name, args: splitAtCommas(inner).map((arg) => arg.trim()) }]
  })
}
