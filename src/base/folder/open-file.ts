import { fstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/** Returns the state of an open file. The system has it in memory: to ask another thread for it took .1 ms of processor time. */
export function stateOfOpen({ fd }: FileHandle): { readonly size: number; readonly nlink: number } {
  const { size, nlink } = fstatSync(fd)
  return { size, nlink }
}
