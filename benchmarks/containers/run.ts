import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { firstMessage, startScript } from '../run-side.js'
import { findSite } from '../sites/site-folders.js'
import type { Served } from '../speed/serve.js'
import { writeReport } from '../write-report.js'

const { values: flags } = parseArgs({
  options: {
    site: { type: 'string', default: 'javadoc' },
    mib: { type: 'string', multiple: true, default: ['none', '512', '320', '256'] },
    pages: { type: 'string', default: '20000' },
    write: { type: 'boolean', default: false },
  },
})

/** Files of a control group, by the version of the interface. */
const versions = {
  v1: { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
  v2: { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' },
}
const group = existsSync(versions.v1.root) ? versions.v1 : versions.v2
const MIB = 1024 * 1024

/** What a crawl says when it has ended. */
export interface ContainerCrawl {
  readonly pages: number
  readonly warned: number
  readonly residentMib: number
}

/** Crawls the site in a control group of its own. @returns a row of the table */
async function crawlWithin(start: string, mib: string): Promise<string> {
  const folder = join(group.root, `trawl-${process.pid}-${mib}`)
  mkdirSync(folder)
  try {
    if (mib !== 'none') writeFileSync(join(folder, group.limit), String(Number(mib) * MIB))
    const script = fileURLToPath(new URL('crawl.js', import.meta.url))
    // The shell enters the group and becomes Node, so that all memory of the process is counted.
    const enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"'
    const startedMs = performance.now()
    const child = spawn('sh', ['-c', enter, folder, process.execPath, script, start, flags.pages], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (data: Buffer) => (said += data))
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
    const peak = Math.round(Number(readFileSync(join(folder, group.peak), 'utf8')) / MIB)
    const ended = said === '' ? undefined : (JSON.parse(said) as ContainerCrawl)
    const outcome = ended ? `${ended.pages} pages, ${ended.warned} with a warning` : `killed (${signal})`
    return `| ${mib} | ${outcome} | ${seconds} s | ${peak} MiB | ${ended?.residentMib ?? '-'} MiB |`
  } finally {
    rmdirSync(folder)
  }
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = await findSite(flags.site, root)
if (folder === undefined) throw new Error(`${flags.site} is not on this machine: see benchmarks/README.md`)
const server = startScript(new URL('../speed/serve.js', import.meta.url), [
  JSON.stringify({ folders: { '/site/': folder } } satisfies Served),
])
const start = `${await firstMessage<string>(server)}site/index.html`
const rows: string[] = []
for (const mib of flags.mib) rows.push(await crawlWithin(start, mib))
server.kill()
const table = `| MiB | outcome | time | peak of the container | peak of the process |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}`
console.log(`${table}\n\nLoad ${loadavg()[0]?.toFixed(1)}`)
if (flags.write) writeReport('containers', table)
