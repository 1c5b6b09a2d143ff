import type { RawData } from './apply-rule.js'
import type { DataRule } from './data-rule.js'
import { parseNumber } from '../../../content/extract/facts/read-fact.js'

/** Converts raw values to the types that the rule names; values that cannot be converted are left out. */
export function coerceData(raw: RawData | undefined, rule: DataRule): unknown {
  if (raw === undefined) return undefined
  if (rule.kind === 'value') return rule.as === 'number' && typeof raw === 'string' ? parseNumber(raw) : raw
  if (rule.kind === 'list') {
    if (!Array.isArray(raw)) return undefined
    return (raw as readonly RawData[]).flatMap((one) => coerceData(one, rule.item) ?? [])
  }
  if (typeof raw !== 'object' || Array.isArray(raw)) return undefined
  const found = new Map(Object.entries(raw as Readonly<Record<string, RawData>>))
  const fields = rule.fields.flatMap(([name, own]) => {
    const value = coerceData(found.get(name), own)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(fields)
}

/** Returns true if a value contains any text or number; empty lists and booleans alone do not count. */
export function hasData(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'number') return true
  return typeof value === 'object' && value !== null && Object.values(value).some(hasData)
}
