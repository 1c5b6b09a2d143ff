/** A value that JSON represents without loss. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** An entry: facts, and bytes that belong to them. */
export interface StoredEntry {
  /** A small value, always read whole. */
  readonly facts: Json
  /** Large bytes, by name: a store may compress them, and store equal ones once. @default none */
  readonly bodies?: Readonly<Record<string, Uint8Array>>
}

/**
 * A key-value store; keys have any characters and length. Plug-ins in `store/stores/` implement it, and a host may
 * bring its own. The page cache (`storeCache`) uses one, and so may other data that outlives a job.
 *
 * An entry is returned whole, as it was stored under that key, or not at all: an entry that is damaged, truncated, or
 * written by another program counts as missing. Several processes may use the underlying storage at once. Methods
 * reject when the storage cannot be reached.
 */
export interface Store {
  /** The entry stored last under this key. */
  get(key: string): Promise<StoredEntry | undefined>
  /** Stores an entry, replacing an earlier one. */
  set(key: string, entry: StoredEntry): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Changes an entry so that no change that another process makes at the same time is lost. `change` is called again when the
   * entry was changed meanwhile, and with its own result when the answer to the change was lost.
   *
   * @default changes of one process come one after the other; of two processes, the later one stays
   * @param change returns the new entry; its argument is undefined when there is none
   */
  update?(key: string, change: (entry: StoredEntry | undefined) => StoredEntry | Promise<StoredEntry>): Promise<void>
  /** Waits for background work, and releases resources. */
  close(): Promise<void>
}
