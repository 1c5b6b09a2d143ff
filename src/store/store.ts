/** What can be written as JSON and read back the same. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** What is kept under a key: facts, and bytes that belong to them. */
export interface StoredEntry {
  /** Small, and always read whole. */
  readonly facts: Json
  /** By name. Large bytes belong here: a store may compress them, and keep equal ones once. @default none */
  readonly bodies?: Readonly<Record<string, Uint8Array>>
}

/**
 * Where entries are kept, under keys of any characters and length. Plug-ins of `store/stores/` implement this, and a
 * host may bring its own: pages of the cache lie in one (`storeCache`), and so can whatever else is to outlive a job.
 *
 * An entry comes back whole, as it was stored under that key, or not at all: one that is damaged, cut short, or written
 * by something else is as good as missing. Several processes may use what lies underneath at once. It throws when what
 * lies underneath cannot be reached.
 */
export interface Store {
  /** What was stored last under this key. */
  get(key: string): Promise<StoredEntry | undefined>
  /** Stores an entry, in place of any before it. */
  set(key: string, entry: StoredEntry): Promise<void>
  delete(key: string): Promise<void>
  /** Waits for what it does by itself, and gives back what it holds open. */
  close(): Promise<void>
}
