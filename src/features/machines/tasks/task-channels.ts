import { createHash } from 'node:crypto'

/** Least time between two exchanges of an engine with the table of tasks, each of which may notify others. Milliseconds. */
export const EXCHANGE_INTERVAL_MS = 10

/** Names of the channels of notifications, one set for each schema of a database. */
export interface TaskChannels {
  /** Channel of all workers: there are tasks. */
  readonly workers: string
  /** Start of the name of an owner's channel. */
  readonly ownerPrefix: string
  /** Channel of an owner: there are answers. */
  owner(number: number): string
}

/** Names the channels of a schema. A name of the server has at most 63 bytes. */
export function nameChannels(schema: string): TaskChannels {
  const name = `trawl_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}_`
  return { workers: `${name}tasks`, ownerPrefix: name, owner: (number) => `${name}${number}` }
}
