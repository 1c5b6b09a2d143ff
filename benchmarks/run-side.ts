import { fork, type ChildProcess } from 'node:child_process'
import type { Measurement, Task } from './speed/measure.js'

/** A crawler in a process of its own. */
export interface SideProcess {
  /** URL of the compiled script. */
  readonly script: URL
  readonly flags: readonly string[]
}

/** Starts a script of a benchmark. @param execArgv flags of Node */
export const startScript = (script: URL, args: readonly string[], execArgv: readonly string[] = []): ChildProcess =>
  fork(script, args, { execArgv: [...execArgv], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })

/** Returns the first message of a child process. */
export function firstMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (code) => reject(new Error(`${child.spawnargs[1]} exited with code ${code} and sent nothing`)))
  })
}

/** Runs a task in a new process, which ends with its measurement. */
export async function runSide({ script, flags }: SideProcess, task: Task): Promise<Measurement> {
  const child = startScript(script, [JSON.stringify(task), ...flags])
  const measurement = await firstMessage<Measurement>(child)
  child.kill()
  return measurement
}
