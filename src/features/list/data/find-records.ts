import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import { type DataPath, toRecord } from './data-path.js'

/** An array in data whose entries may be those of a list. */
export interface RecordList {
  /** Path of the array in the data. */
  readonly path: DataPath
  readonly records: readonly JsonObject[]
  /** Objects around the array, the nearest first, without those around an array of several lists. */
  readonly around: readonly JsonObject[]
}

/** Maximum values that are searched, their depth, and arrays that are returned. */
const MAX_VALUES = 200_000
const MAX_DEPTH = 14
const MAX_LISTS = 50
/** Maximum objects around an array, and entries of an array of records that are searched for further arrays. */
const MAX_AROUND = 4
const MAX_SEARCHED_RECORDS = 10

interface DataNode {
  readonly value: object
  readonly name: string
  readonly parent: DataNode | undefined
  readonly depth: number
}

/**
 * Finds the arrays of objects in data, the longest first. Takes time linear in the size of the data, which may contain
 * itself.
 *
 * @param minimum minimum number of entries
 */
export function findRecordLists(data: unknown, minimum: number): RecordList[] {
  const found: { node: DataNode; records: JsonObject[] }[] = []
  const seen = new Set<object>()
  const queue: DataNode[] = []
  const add = (value: unknown, name: string, parent: DataNode | undefined): void => {
    if (typeof value !== 'object' || value === null || seen.has(value) || queue.length >= MAX_VALUES) return
    seen.add(value)
    queue.push({ value, name, parent, depth: (parent?.depth ?? 0) + 1 })
  }
  add(data, '', undefined)
  for (let at = 0; at < queue.length; at += 1) {
    const node = queue[at]
    if (node === undefined || node.depth > MAX_DEPTH) break
    const records = Array.isArray(node.value) ? readRecords(node.value, minimum) : undefined
    if (records) found.push({ node, records })
    const members = Object.entries(node.value).slice(0, records ? MAX_SEARCHED_RECORDS : MAX_VALUES)
    for (const [name, value] of members) add(value, name, node)
  }
  return found
    .sort((one, other) => other.records.length - one.records.length)
    .slice(0, MAX_LISTS)
    .map(({ node, records }) => ({ ...describe(node), records }))
}

/** Returns the entries of an array as records; undefined unless all are. */
export function readRecords(entries: readonly unknown[], minimum: number): JsonObject[] | undefined {
  if (entries.length < minimum) return undefined
  const records: JsonObject[] = []
  for (const entry of entries) {
    const record = toRecord(entry)
    if (record === undefined) return undefined
    records.push(record)
  }
  return records
}

function describe(node: DataNode): { readonly path: DataPath; readonly around: readonly JsonObject[] } {
  const path: string[] = []
  const around: JsonObject[] = []
  let isOfList = true
  for (let at: DataNode | undefined = node; at; at = at.parent) {
    if (at.parent) path.unshift(at.name)
    if (at !== node) isOfList &&= isObject(at.value)
    if (isOfList && isObject(at.value) && around.length < MAX_AROUND) around.push(at.value)
  }
  return { path, around }
}
