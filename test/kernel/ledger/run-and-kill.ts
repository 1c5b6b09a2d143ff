import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import type { Site } from '../../site/site.js'

/** Settings of the engines that are killed, and of those that open their files again. */
export const settings = { allowPrivateNetworks: true, threads: 0, cache: false, fetcher: 'http' } as const

/**
 * Runs code in a process that is killed in the very turn in which the last promise of the code resolves: what is not in the file by
 * then is lost.
 */
export async function runAndKill(code: string, file: string, site: Site): Promise<void> {
  const script = `
    import { createEngine, sqlite } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
    const [file, origin] = process.argv.slice(1)
    const engine = createEngine({ ledger: sqlite(file), ...${JSON.stringify(settings)} })
    const urls = (prefix, count) => Array.from({ length: count }, (_, at) => origin + prefix + at)
    const call = { idempotencyKey: 'the job' }
    const die = () => process.kill(process.pid, 'SIGKILL')
    ${code}
    die()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file, site.origin], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
}
