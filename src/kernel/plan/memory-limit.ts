import { totalmem } from 'node:os'

/** Reads the limit of this process's memory by its container (cgroup 1 and 2). Bytes. @returns undefined if there is none */
export function readMemoryLimit(): number | undefined {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : undefined
}
