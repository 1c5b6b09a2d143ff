import type { z } from 'zod'
import { isObject } from '../collections/is-object.js'
import { ownValue } from '../collections/own-value.js'
import { printSeen } from '../errors.js'
import { type Limits, readKeys, readLimits, readRequiredKeys } from './read-schema.js'
import { findSimilarName } from './similar-name.js'

type RawIssue = z.core.$ZodRawIssue

/**
 * Says where an option belongs that was given in a place where it is unknown; undefined if it is unknown everywhere.
 *
 * @param known names that are allowed in the place
 */
export type ExplainMisplaced = (name: string, known: readonly string[]) => string | undefined

/** Additions to the description of an issue. */
interface IssueContext {
  /** Unit of a number, in the plural: `milliseconds`. @default none */
  readonly unit?: string
  /** Explanation of unknown options. @default those with a similar name are suggested */
  readonly explainMisplaced?: ExplainMisplaced
}

/** Describes an issue that zod found: the fault, the value, and what is allowed. */
export function describeIssue(issue: RawIssue, { unit, explainMisplaced }: IssueContext = {}): string {
  switch (issue.code) {
    case 'invalid_type':
      return joinParts(describeType(issue), describeLimits(issue, unit))
    case 'not_multiple_of':
      return joinParts(`${printSeen(issue.input)} is not a whole number`, describeLimits(issue, unit))
    case 'too_small':
    case 'too_big':
      return joinParts(describeSize(issue), describeLimits(issue, unit))
    case 'invalid_value':
      return describeChoice(issue.input, issue.values)
    case 'invalid_union':
      return describeDiscriminator(issue)
    case 'unrecognized_keys':
      return describeUnknownKeys(issue.keys, readKeys(issue), explainMisplaced)
    default:
      return issue.message ?? `${printSeen(issue.input)} is not allowed`
  }
}

/** Parameters for a schema of numbers, whose messages then name the unit. @param unit plural: `milliseconds` */
export const inUnit = (unit: string): { error: (issue: RawIssue) => string } => ({
  error: (issue) => describeIssue(issue, { unit }),
})

/**
 * Parameters for a check, whose message then shows the value. Not for values that may be secret.
 *
 * @param expected rest of the sentence: `a function`, `a country: a code of two letters such as \`DE\``
 */
export const mustBe = (expected: string): { error: (issue: { readonly input?: unknown }) => string } => ({
  error: ({ input }) => `${printSeen(input)} is not ${expected}`,
})

/** Describes a value that is not among the allowed names, and suggests a similar one. */
export function describeChoice(seen: unknown, allowed: readonly unknown[]): string {
  const names = allowed.map(String)
  const similar = typeof seen === 'string' ? (findForeignName(seen, names) ?? findSimilarName(seen, names)) : undefined
  const fault =
    seen === undefined ? 'missing' : `${printSeen(seen)} is not ${typeof seen === 'string' ? 'known' : 'a name'}`
  return `${fault}${suggest(similar)}: ${names.length === 1 ? '' : 'one of '}${names.join(', ')}`
}

/** Names of actions in other libraries, with those that they have here. */
const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  evaluate: 'executeJavascript',
  input: 'write',
  javascript: 'executeJavascript',
  keypress: 'press',
  type: 'write',
  waitForSelector: 'wait',
}

/** Finds the allowed name of what other libraries call differently. */
function findForeignName(seen: string, names: readonly string[]): string | undefined {
  const name = ownValue(FOREIGN_NAMES, seen)
  return name !== undefined && names.includes(name) ? name : undefined
}

const suggest = (name: string | undefined): string => (name === undefined ? '' : `, did you mean \`${name}\`?`)

/** Describes the choice of a discriminated union: the fault is in the field that names the type. */
function describeDiscriminator({ input, discriminator, options }: RawIssue): string {
  const seen = isObject(input) ? input[String(discriminator)] : input
  return describeChoice(seen, Array.isArray(options) ? options : [])
}

/** Maximum number of unknown options that a message names: bytes in place of an object have one option for each byte. */
const MAX_KEYS_NAMED = 10
/** Maximum number of options of an object for which a message lists them. */
const MAX_ALLOWED_NAMED = 12

function describeUnknownKeys(keys: readonly string[], known: readonly string[], explain?: ExplainMisplaced): string {
  const hints = keys.slice(0, MAX_KEYS_NAMED).map((key) => {
    const explanation = explain?.(key, known)
    return explanation === undefined ? suggest(findSimilarName(key, known)) : `, which ${explanation}`
  })
  const named = hints.map((hint, at) => `unknown option ${printSeen(keys[at])}${hint}`)
  if (keys.length > named.length) named.push(`and ${keys.length - named.length} more`)
  const isListed = hints.includes('') && known.length > 0 && known.length <= MAX_ALLOWED_NAMED
  return `${named.join('; ')}${isListed ? `: allowed are ${known.join(', ')}` : ''}`
}

const joinParts = (...parts: string[]): string => parts.filter((part) => part !== '').join(': ')

function describeType(issue: RawIssue): string {
  const { input, expected, path = [] } = issue
  if (input === undefined) return path.length === 0 ? 'nothing was given' : 'missing'
  const type = typeof input === 'number' && expected === 'number' ? 'a finite number' : nameType(String(expected))
  const fault = `${printSeen(input)} is not ${type}`
  if (expected === 'object') return fault + describeKeys(issue)
  const isItem = expected === 'array' && typeof input === 'string' && input.length <= MAX_ITEM_LENGTH
  return isItem ? `${fault}, such as [${printSeen(input)}]` : fault
}

/** Maximum length of a text that a message shows as the item of a list. Characters. */
const MAX_ITEM_LENGTH = 50

/** Says what an object must have, or which options it can have if they are few. */
function describeKeys(issue: RawIssue): string {
  const required = readRequiredKeys(issue)
  if (required.length > 0) return ` with ${required.map((key) => `\`${key}\``).join(' and ')}`
  const known = readKeys(issue)
  return known.length > 0 && known.length <= MAX_ALLOWED_NAMED ? `: allowed are ${known.join(', ')}` : ''
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object of strings',
}

/** Names a type of zod for a message: `a list` for `array`. */
export const nameType = (type: string): string => ownValue(typeNames, type) ?? `a ${type}`

function describeSize({ input, code }: RawIssue): string {
  const fault = code === 'too_big' ? 'too many' : 'too few'
  if (typeof input === 'string') return input === '' ? 'empty' : `${input.length} characters are ${fault}`
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : `${input.length} items are ${fault}`
  return `${printSeen(input)} is out of range`
}

/** Describes the limits of the schema of an issue: `1 to 100 pages`; empty where it has none. */
function describeLimits(issue: RawIssue, unit?: string): string {
  const limits = readLimits(issue)
  if (limits === undefined) return ''
  const { min, max, type } = limits
  const characters = max === undefined && min === 1 ? 'character' : 'characters'
  return `${printRange(limits)} ${unit ?? (type === 'string' ? characters : '')}`.trim()
}

function printRange({ min, max, isAbove, isBelow }: Omit<Limits, 'type'>): string {
  if (!isAbove && !isBelow && min !== undefined && max !== undefined) return `${min} to ${max}`
  const limits = [
    ...(min === undefined ? [] : [`${isAbove ? 'more than' : 'at least'} ${min}`]),
    ...(max === undefined ? [] : [`${isBelow ? 'less than' : 'at most'} ${max}`]),
  ]
  return limits.join(', ')
}
