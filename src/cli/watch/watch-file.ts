import { readFile } from 'node:fs/promises'
import type { WatchRequest } from '../../index.js'
import { UsageError } from '../usage-error.js'

/**
 * Reads the watches of a YAML or JSON file: one watch, a list, or an object with `watches`. The engine checks them.
 *
 * @throws UsageError if the file cannot be read, has none, or has two of one name
 */
export async function readWatchFile(file: string): Promise<readonly WatchRequest[]> {
  const found = await parseFile(file)
  const inside: unknown = isRecord(found) && 'watches' in found ? found['watches'] : found
  const watches: readonly unknown[] = Array.isArray(inside) ? inside : [inside]
  if (watches.length === 0 || !watches.every(isRecord))
    throw new UsageError([`${file} has no watches: give one, a list, or an object with \`watches\``])
  refuseSameNames(file, watches)
  return watches as unknown as readonly WatchRequest[]
}

/** A watch replaces the one that has its name, which would then not be watched. */
function refuseSameNames(file: string, watches: readonly Readonly<Record<string, unknown>>[]): void {
  const numbers = new Map<string, number>()
  for (const [index, { name }] of watches.entries()) {
    if (typeof name !== 'string') continue
    const first = numbers.get(name)
    if (first !== undefined)
      throw new UsageError([`${file}: watches ${first} and ${index + 1} are both named ${JSON.stringify(name)}`])
    numbers.set(name, index + 1)
  }
}

async function parseFile(file: string): Promise<unknown> {
  try {
    const text = await readFile(file, 'utf8')
    const { parse } = await import('yaml')
    // JSON is YAML.
    return parse(text, { maxAliasCount: 100 })
  } catch (error) {
    throw new UsageError([`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
