import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { Interrupt } from '../../src/cli/interrupt.js'
import { Terminal } from '../../src/cli/terminal/terminal.js'
import { runCommandLine } from '../../src/cli/run-command-line.js'
import type { Ended } from './start-cli.js'

/** Same as `runCli`, in this process, because a process per mistake takes too long. */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const neverExits = (): never => {
    throw new Error('no signal comes here')
  }
  const interrupt = new Interrupt(Object.assign(new EventEmitter(), { exit: neverExits }))
  // Read from the start: the command waits for its reader, and the help of `crawl` is longer than the buffer of a stream.
  const texts = Promise.all([readText(out), readText(err)])
  const code = await runCommandLine(args, new Terminal(out, err), interrupt, environment)
  for (const stream of [out, err]) stream.end()
  const [stdout, stderr] = await texts
  return { code, stdout, stderr }
}
