import { isObject, type JsonObject } from '../../../base/collections/is-object.js'

/** Names of the members that lead from a value to a part of it. An index of an array is a name too. */
export type DataPath = readonly string[]

/** Reads a part of a value; undefined if it is not there. */
export function readPath(value: unknown, path: DataPath): unknown {
  let at: unknown = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = Object.getOwnPropertyDescriptor(at, name)?.value
  }
  return at
}

/** Writes a path for readers: `props.items`. */
export const printPath = (path: DataPath): string => path.join('.')

/** Returns the record that an entry of an array is: an object, or the properties of an element of React's flight format. */
export function toRecord(entry: unknown): JsonObject | undefined {
  if (isObject(entry)) return entry
  const properties: unknown = Array.isArray(entry) && entry[0] === '$' ? entry[3] : undefined
  return isObject(properties) ? properties : undefined
}

/** Maximum depth of a value in a record, values of an object, and paths of values. */
const MAX_DEPTH = 5
const MAX_MEMBERS = 60
const MAX_PATHS = 200
/** Maximum objects of a record that are read. Data whose objects are shared has more paths than can be followed. */
const MAX_OBJECTS = 100

/** Places of values in records. */
export interface RecordPaths {
  /** Paths of texts, numbers and booleans. */
  readonly values: readonly DataPath[]
  /** Paths of arrays. */
  readonly arrays: readonly DataPath[]
}

/** Lists the paths of the values of some records. Of an array, only the first entry is read. */
export function listPaths(records: readonly JsonObject[]): RecordPaths {
  const values = new Map<string, DataPath>()
  const arrays = new Map<string, DataPath>()
  for (const record of records) {
    const open: { value: object; path: DataPath }[] = [{ value: record, path: [] }]
    // `open` grows in the loop, up to its maximum.
    for (const at of open) {
      for (const [name, value] of listMembers(at.value)) {
        const path = [...at.path, name]
        const key = JSON.stringify(path)
        if (values.size >= MAX_PATHS) return { values: [...values.values()], arrays: [...arrays.values()] }
        if (typeof value !== 'object') values.set(key, path)
        else if (value !== null && path.length < MAX_DEPTH) {
          if (Array.isArray(value)) arrays.set(key, path)
          if (open.length < MAX_OBJECTS) open.push({ value, path })
        }
      }
    }
  }
  return { values: [...values.values()], arrays: [...arrays.values()] }
}

function listMembers(value: object): [string, unknown][] {
  if (Array.isArray(value)) return value.length === 0 ? [] : [['0', value[0]]]
  return Object.entries(value).slice(0, MAX_MEMBERS)
}
