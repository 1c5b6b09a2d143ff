import type { z } from 'zod'
import { findSimilarName } from './similar-name.js'
import { printSeen } from '../../errors.js'
import { ownValue } from '../../collections/own-value.js'

type RawIssue = z.core.$ZodRawIssue
type Bound = { check: string; value?: number; inclusive?: boolean; minimum?: number; maximum?: number }

/**
 * Describes the fault of a value, the value, and what is allowed: the words for whatever zod finds.
 *
 * @param unit what a number counts, e.g. `milliseconds`
 * @param findPlace tells where an option belongs that is not known here
 */
export function describeIssue(issue: RawIssue, unit?: string, findPlace?: ExplainMisplaced): string {
  switch (issue.code) {
    case 'invalid_type':
      return join(
        issue.input === undefined ? nothing(issue) : `${printSeen(issue.input)} is not ${nameType(issue.expected)}`,
        limits(issue, unit),
      )
    case 'not_multiple_of':
      return join(`${printSeen(issue.input)} is not a whole number`, limits(issue, unit))
    case 'too_small':
    case 'too_big':
      return join(describeSize(issue), limits(issue, unit))
    case 'invalid_value':
      return describeChoice(issue.input, issue.values)
    case 'invalid_union':
      return describeChoice(readProperty(issue.input, issue['discriminator']), listOf(issue['options']))
    case 'unrecognized_keys':
      return describeUnknownKeys(issue.keys, shapeOf(issue), findPlace)
    default:
      return issue.message ?? `${printSeen(issue.input)} is not allowed`
  }
}

/** Words for a number whose unit a reader should see. */
export const inUnit = (unit: string): { error: (issue: RawIssue) => string } => ({
  error: (issue) => describeIssue(issue, unit),
})

/** `seen` is none of `allowed`: says so, and which of them comes near. */
export function describeChoice(seen: unknown, allowed: readonly unknown[]): string {
  const names = allowed.map(String)
  const meant = typeof seen === 'string' ? findSimilarName(seen, names) : undefined
  const fault =
    seen === undefined ? 'missing' : `${printSeen(seen)} is not ${typeof seen === 'string' ? 'known' : 'a name'}`
  return `${fault}${hint(meant)}: ${names.length === 1 ? '' : 'one of '}${names.join(', ')}`
}

const hint = (meant: string | undefined): string => (meant === undefined ? '' : `, did you mean \`${meant}\`?`)

/** Bytes given in place of an object have as many options as there are bytes. */
const MAX_KEYS_NAMED = 10

function describeUnknownKeys(keys: readonly string[], known: readonly string[], findPlace?: ExplainMisplaced): string {
  const named = keys.slice(0, MAX_KEYS_NAMED).map((key) => describeUnknownKey(key, known, findPlace?.(key, known)))
  if (keys.length > named.length) named.push(`and ${keys.length - named.length} more`)
  return named.join('; ')
}

const describeUnknownKey = (key: string, known: readonly string[], place: string | undefined): string =>
  `unknown option ${printSeen(key)}${place === undefined ? hint(findSimilarName(key, known)) : `, which ${place}`}`

/** Tells where an option belongs that is not among those known here. */
type ExplainMisplaced = (name: string, known: readonly string[]) => string | undefined

const join = (...parts: string[]): string => parts.filter((part) => part !== '').join(': ')

const words: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object of strings',
}

const nothing = ({ path = [] }: RawIssue): string => (path.length === 0 ? 'nothing was given' : 'missing')

/** A type of zod's in a reader's words. */
export const nameType = (expected: string): string => ownValue(words, expected) ?? `a ${expected}`

function describeSize(issue: RawIssue): string {
  const { input, code } = issue
  const fault = code === 'too_big' ? 'too many' : 'too few'
  if (typeof input === 'string') return input === '' ? 'empty' : `${input.length} characters are ${fault}`
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : `${input.length} items are ${fault}`
  return `${printSeen(input)} is out of range`
}

/** Returns the values that the schema of the issue allows, from its own bounds. */
function limits(issue: RawIssue, unit?: string): string {
  const definition = schemaOf(issue)
  const bounds = (definition?.checks ?? []).map((check) => definitionOf(check) as Bound)
  const least = bounds.find(({ check }) => check === 'greater_than' || check === 'min_length')
  const most = bounds.find(({ check }) => check === 'less_than' || check === 'max_length')
  const from = least?.minimum ?? least?.value
  const to = most?.maximum ?? most?.value
  if (from === undefined && to === undefined) return ''
  const counted =
    unit ?? (definition?.type !== 'string' ? '' : to === undefined && from === 1 ? 'character' : 'characters')
  return `${printRange(from, to, least?.inclusive === false)} ${counted}`.trim()
}

function printRange(from: number | undefined, to: number | undefined, above: boolean): string {
  if (above) return `more than ${from}, at most ${to}`
  if (from === undefined) return `at most ${to}`
  return to === undefined ? `at least ${from}` : `${from} to ${to}`
}

const definitionOf = <Definition>({ _zod: internals }: { readonly _zod: { readonly def: Definition } }): Definition =>
  internals.def

/**
 * The definition of the schema that an issue belongs to: a check is no schema, but stamps the one that it is part of.
 */
function schemaOf(issue: RawIssue): z.core.$ZodTypeDef | undefined {
  const raised = issue.schema ?? issue.inst
  if (raised === undefined) return undefined
  const definition = definitionOf<z.core.$ZodTypeDef | z.core.$ZodCheckDef>(raised)
  return 'type' in definition ? definition : undefined
}

function shapeOf(issue: RawIssue): string[] {
  const definition: object = schemaOf(issue) ?? {}
  const shape: unknown = 'shape' in definition ? definition.shape : undefined
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : []
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const readProperty = (value: unknown, name: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[String(name)] : value
