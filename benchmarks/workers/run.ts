import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { missing, startPostgres } from '../../test/base/store/postgres-server.js'
import { documentationFolders } from '../sites/site-folders.js'
import { writeReport } from '../write-report.js'
import { measureMillion } from './measure-million.js'
import { measureOwner, OWNER_HEAD } from './measure-owner.js'
import { measureScaling } from './measure-scaling.js'

const { values: flags } = parseArgs({
  options: {
    parts: { type: 'string', default: 'scaling,owner,million' },
    site: { type: 'string', multiple: true, default: ['small', 'javadoc'] },
    workers: { type: 'string', default: '1,2,4,8' },
    rounds: { type: 'string', default: '3' },
    pages: { type: 'string', default: '400' },
    'owner-pages': { type: 'string', default: '3000' },
    'million-pages': { type: 'string', default: '100000' },
    latency: { type: 'string', default: '300' },
    'cpu-prof-dir': { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

if (missing !== undefined) throw new Error(missing)
const javadoc = documentationFolders['javadoc'] ?? ''
const rounds = Number(flags.rounds)
const ownerPages = Number(flags['owner-pages'])
const parts = flags.parts.split(',')
const sites = flags.site.filter((name) => name !== 'javadoc' || existsSync(javadoc))
const folder = mkdtempSync(join(tmpdir(), 'trawl-workers-'))
const server = await startPostgres({ max_connections: '120', shared_buffers: '256MB', fsync: 'on' })

/** The paths of pages of a site. */
function listPaths(name: string): readonly string[] {
  const wanted = Math.max(...flags.workers.split(',').map(Number)) * Number(flags.pages)
  if (name === 'small') return Array.from({ length: wanted }, (_, page) => `/p/${page}`)
  const files = readdirSync(javadoc, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
  return files
    .toSorted()
    .slice(0, wanted)
    .map((file) => `/doc/${file}`)
}

const TITLES: Readonly<Record<string, string>> = {
  small: 'Generated pages with 2 KB of text',
  javadoc: 'Javadoc pages, 28 KB in the mean',
}
const docsOf = (name: string): { docs: string } | Record<string, never> => (name === 'javadoc' ? { docs: javadoc } : {})

async function measureScalings(): Promise<string[]> {
  const tables: string[] = []
  for (const name of sites) {
    const [workers, latencyMs] = [flags.workers.split(',').map(Number), Number(flags.latency)]
    const common = { server, folder, name: TITLES[name] ?? name, paths: listPaths(name), ...docsOf(name) }
    tables.push(await measureScaling({ ...common, latencyMs, workers, rounds, pages: Number(flags.pages) }))
  }
  return tables
}

async function measureOwners(): Promise<string> {
  const rows: string[] = []
  const directory = flags['cpu-prof-dir']
  for (const name of sites) {
    const start = name === 'javadoc' ? '/doc/index.html' : '/p/0'
    const execArgv = directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`]
    const common = { server, name: TITLES[name] ?? name, start, ...docsOf(name) }
    rows.push(...(await measureOwner({ ...common, pages: ownerPages, rounds, execArgv })))
  }
  const title = `A crawl of ${ownerPages.toLocaleString('en')} pages with a worker that answers at once, from a table:`
  return `${title}\n\n${OWNER_HEAD}\n${rows.join('\n')}`
}

const busy = (loadavg()[0] ?? 0).toFixed(1)
const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const report = [
  `PostgreSQL, the site, the engine that runs the job and the workers on the ${processor} of one machine, load average ${busy} before the start, Node ${process.versions.node}; medians of ${rounds} rounds.`,
]
try {
  if (parts.includes('scaling')) report.push(...(await measureScalings()))
  if (parts.includes('owner')) report.push(await measureOwners())
  if (parts.includes('million')) report.push(await measureMillion({ server, pages: Number(flags['million-pages']) }))
} finally {
  await server.close()
  rmSync(folder, { recursive: true })
}
console.log(`\n${report.join('\n\n')}`)
if (flags.write) writeReport('workers', report.join('\n\n'))
