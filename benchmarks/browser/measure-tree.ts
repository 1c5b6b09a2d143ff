import { readdirSync, readFileSync } from 'node:fs'

/** The processes below one, as Linux tells it. */
export function processesBelow(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : ''
    // The name of a program may hold anything; its parent comes behind the last bracket. A zombie is none any more.
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

/** Memory of a process and all below it, what they share counted once (PSS). Bytes. */
export function measureTree(root: number): number {
  const sizes = [root, ...processesBelow(root)].map(
    (pid) => /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1],
  )
  return sizes.reduce((sum, kibibytes) => sum + Number(kibibytes ?? 0) * 1024, 0)
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
