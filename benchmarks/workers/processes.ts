import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Ticks of processor time in a second, as Linux gives them to programs. */
const TICKS = 100

/** State of a process, from `/proc` (Linux only). */
interface ProcessState {
  readonly parent: number
  /** Processor time of all its threads. Seconds. */
  readonly cpuSeconds: number
  /** The same of its children that have ended. */
  readonly endedSeconds: number
}

function readState(pid: number): ProcessState | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may have spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    )
    return { parent, cpuSeconds: (user + system) / TICKS, endedSeconds: (endedUser + endedSystem) / TICKS }
  } catch {
    // It has ended.
    return undefined
  }
}

/** Returns a process and its children. */
function listTree(root: number): readonly number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => pid === root || readState(pid)?.parent === root)
}

/** Returns the processor time of a process and its children, also of those that have ended. Seconds. */
export function cpuOf(root: number): number {
  const states = listTree(root).map((pid) => [pid, readState(pid)] as const)
  return states.reduce(
    (sum, [pid, state]) => sum + (state?.cpuSeconds ?? 0) + (pid === root ? (state?.endedSeconds ?? 0) : 0),
    0,
  )
}

/** Returns the memory of a process and its children, with pages that they share counted once. Bytes. */
export const memoryOf = (root: number): number => listTree(root).reduce((sum, pid) => sum + readShare(pid), 0)

function readShare(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}

/** Lets a process, its threads and its children run on one processor only. */
export function pin(root: number, processor: number): void {
  for (const pid of listTree(root))
    execFileSync('taskset', ['-acp', String(processor), String(pid)], { stdio: 'ignore' })
}

/** Returns the process of a server. @param folder of `startPostgres` */
export const serverPid = (folder: string): number =>
  Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
