import { readdirSync, readFileSync } from 'node:fs'

/** Lists the child processes of a process and their descendants, from `/proc` (Linux only). */
export function processesBelow(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : ''
    // A program's name can contain brackets: the state and the parent follow the last one. Zombies have ended and are
    // not counted.
    const [, state, parent] = /\) (\S) (\d+)[^)]*$/.exec(stat) ?? []
    if (state !== undefined && state !== 'Z') parents.set(Number(name), Number(parent))
  }
  const below = new Set([root])
  for (let size = 0; size !== below.size;) {
    size = below.size
    for (const [pid, parent] of parents) if (below.has(parent)) below.add(pid)
  }
  below.delete(root)
  return [...below]
}

/** Measures the memory of a process and its descendants, in bytes; shared memory is counted once (PSS). */
export function measureTree(root: number): number {
  const sizes = [root, ...processesBelow(root)].map(
    (pid) => /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1],
  )
  return sizes.reduce((sum, kibibytes) => sum + Number(kibibytes ?? 0) * 1024, 0)
}

/** Reads a file of `/proc`; empty if the process has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
