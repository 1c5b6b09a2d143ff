import { type Member, readDeclarations } from '../../../build/docs/declarations.js'

const declarations = readDeclarations(new URL('../../../src', import.meta.url).pathname)
const literal = (value: unknown): string => {
  if (value === Infinity) return 'no limit'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** Finds the defaults that the doc comments of a type do not state. */
export function findWrongDefaults(type: string, defaults: object): string[] {
  const declaration = declarations.find(type)
  const members = declaration ? declarations.membersOf(declaration) : new Map<string, Member>()
  return Object.entries(defaults).flatMap(([name, value]) => {
    const stated = members.get(name)?.doc.fallback ?? 'nothing'
    const [expected, rest] = [literal(value), stated.slice(literal(value).length)]
    return stated.startsWith(expected) && /^(?:$|[\s,;])/.test(rest) ? [] : `${name}: ${stated}, not ${expected}`
  })
}
