import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { workCommand } from '../../src/cli/commands/index.js'
import { flagsOf } from '../../src/cli/run-command-line.js'
import type { Engine } from '../../src/index.js'
import { page } from '../kernel/job/crawl-site.js'
import { missing, type PostgresServer, startPostgres } from '../base/store/postgres-server.js'
import { findFreePort } from '../site/find-free-port.js'
import { type Site, startSite } from '../site/site.js'
import { asModule, blocks } from './doc-code.js'

const root = new URL('../../', import.meta.url)
const readFolder = (name: string): Promise<string> => readFile(new URL(`docs/several-machines/${name}`, root), 'utf8')

const text = z.string()
const serviceSchema = z.strictObject({
  image: text.optional(),
  build: z.literal('.').optional(),
  init: z.literal('true').optional(),
  command: z.array(text),
  environment: z.record(text, text),
  ports: z.array(text).optional(),
  volumes: z.array(text).optional(),
  depends_on: z.record(text, z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  healthcheck: z
    .strictObject({ test: z.array(text), interval: text, timeout: text.optional(), retries: text.optional() })
    .optional(),
  deploy: z.strictObject({ replicas: text }).optional(),
  stop_grace_period: text,
  restart: z.literal('unless-stopped'),
})
const composeSchema = z.strictObject({
  services: z.record(text, serviceSchema),
  volumes: z.record(text, z.literal('')),
})

const readCompose = async () =>
  composeSchema.parse(parse(await readFolder('docker-compose.yml'), { schema: 'failsafe' }))

describe('docs/several-machines/docker-compose.yml', () => {
  it('names services, volumes, flags and programs that exist', async () => {
    const { services, volumes } = await readCompose()
    expect(Object.keys(services)).toEqual(['postgres', 'service', 'worker'])
    for (const { depends_on: needed = {}, volumes: mounted = [] } of Object.values(services)) {
      for (const name of Object.keys(needed)) expect(services[name]?.healthcheck).toBeDefined()
      for (const mount of mounted) expect(volumes).toHaveProperty(mount.split(':')[0] ?? '')
    }
    const [program, name, ...given] = services['worker']?.command ?? []
    expect([program, name]).toEqual(['node_modules/.bin/trawl', workCommand.name])
    expect(manifest.bin).toHaveProperty('trawl')
    const flags = flagsOf(workCommand).map((flag) => flag.name)
    for (const flag of given) expect(flags).toContain(/^--([a-z-]+)(=|$)/.exec(flag)?.[1])
    const code = await readFolder('service.mjs')
    const { environment = {} } = services['service'] ?? {}
    for (const variable of Object.keys(environment).filter((one) => one !== 'PGPASSWORD'))
      expect(code).toContain(`process.env.${variable}`)
    expect(Object.values(environment)).toContain('${POSTGRES_PASSWORD:?}')
  })

  it('has a Dockerfile that installs what they need', async () => {
    const lines = (await readFolder('Dockerfile')).trimEnd().split('\n')
    const wordsOf = (instruction: string) =>
      lines.flatMap((line) => (line.startsWith(`${instruction} `) ? [line.split(' ').slice(1)] : []))
    const [[, , ...packages] = []] = wordsOf('RUN')
    expect(packages).toEqual(['trawl', 'pg'])
    expect(manifest.name).toBe('trawl')
    expect(manifest.peerDependencies).toHaveProperty('pg')
    const [[copied = ''] = []] = wordsOf('COPY')
    expect((await readCompose()).services['service']?.command).toEqual(['node', copied])
    expect(await readFolder(copied)).toContain("from 'trawl'")
  })
})

const links = Array.from({ length: 20 }, (_, at) => `/${at}`)
const pages = Object.fromEntries(
  ['/', ...links].map((path) => [
    path,
    async ({ response }: { response: { end(body: string): void } }) => {
      await sleep(100)
      response.end(path === '/' ? page(...links) : page(`/of${path}`))
    },
  ]),
)

describe.skipIf(missing !== undefined)(`docs/guides/operation.md${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: PostgresServer
  let site: Site
  let folder: string
  let children: ChildProcess[] = []

  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages })
    folder = await mkdtemp(join(tmpdir(), 'trawl-compose-'))
  }, 60_000)
  afterEach(async () => {
    for (const child of children) if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    children = []
  })
  afterAll(async () => {
    await site.close()
    await server.close()
    await rm(folder, { recursive: true })
  }, 30_000)

  const start = (program: string, args: readonly string[], env: Record<string, string>): ChildProcess => {
    const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'inherit' })
    children.push(child)
    return child
  }
  const stop = async (child: ChildProcess): Promise<unknown> => {
    child.kill('SIGTERM')
    return (await once(child, 'exit'))[0]
  }

  it('runs the service and a worker of the compose file', async () => {
    const { services } = await readCompose()
    // What `npm install` makes in the image.
    await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true })
    await symlink(fileURLToPath(root), join(folder, 'node_modules', 'trawl'))
    const bin = join(folder, 'node_modules', '.bin', 'trawl')
    await writeFile(bin, `#!/bin/sh\nexec node "${fileURLToPath(new URL(manifest.bin.trawl, root))}" "$@"\n`)
    await chmod(bin, 0o755)
    const port = await findFreePort()
    // The pages of the test are on this machine.
    const code = (await readFolder('service.mjs'))
      .replace('createEngine({', 'createEngine({ allowPrivateNetworks: true,')
      .replace('3002', String(port))
    await writeFile(join(folder, 'service.mjs'), code)
    const toServer = (value: string): string => value.replace('postgres://trawl@postgres:5432/trawl', address)
    const address = server.url().replace(/:[^:@]*@/, '@')

    const { command: [node = '', ...args] = [], environment = {} } = services['service'] ?? {}
    const variables = Object.entries(environment).filter(([name]) => name !== 'PGPASSWORD' && name !== 'HOST')
    const env = { PGPASSWORD: 'the password' }
    const service = start(node, args, {
      ...Object.fromEntries(variables.map(([name, value]) => [name, toServer(value)])),
      ...env,
    })
    const [program = '', ...flags] = services['worker']?.command ?? []
    const worker = start(program, [...flags.map(toServer), '--private-networks'], env)

    const base = `http://127.0.0.1:${port}`
    const ask = async (path: string, method = 'GET'): Promise<Record<string, unknown>> => {
      const response = await fetch(`${base}${path}`, { method })
      return { httpStatus: response.status, ...((await response.json()) as object) }
    }
    const places = async (): Promise<unknown> =>
      ask('/health').then(
        ({ workers }) => workers,
        () => [],
      )
    while (JSON.stringify(await places()).match(/"concurrency":20/) === null) await sleep(50)
    expect(await ask('/health')).toMatchObject({ httpStatus: 200, ledger: { reachable: true } })

    const { id } = await ask(`/crawl?url=${site.url('/')}&limit=15`, 'POST')
    let status: Record<string, unknown>
    do status = await ask(`/crawl?id=${String(id)}`)
    while (status['status'] === 'scraping' && (await sleep(50, true)))
    expect(status).toMatchObject({ httpStatus: 200, status: 'completed', completed: 15 })
    expect(await ask('/crawl', 'POST')).toMatchObject({ httpStatus: 400, code: 'BAD_REQUEST' })
    expect((await ask('/crawl?id=none'))['httpStatus']).toBe(404)
    expect(await stop(worker)).toBe(0)
    expect(await stop(service)).toBe(0)
  }, 60_000)

  it('tells Prometheus of an engine and its workers', async () => {
    const port = await findFreePort()
    const block = blocks.find(({ name }) => name === 'metrics.ts')
    if (!block) throw new Error('the guide has no metrics.ts')
    const own = new URL('.metrics/', import.meta.url)
    const options = { origin: site.origin, folder: own, ports: [port], trawl: '../../../src/index.js' }
    await mkdir(own, { recursive: true })
    const file = new URL('metrics.ts', own)
    await writeFile(file, `${asModule(block, options)}\nexport { engine, server }`)
    const [, host = '', pgPort = ''] = /@([^:]+):(\d+)/.exec(server.url()) ?? []
    const env = { PGHOST: host, PGPORT: pgPort, PGUSER: 'trawl', PGPASSWORD: 'the password', PGDATABASE: 'postgres' }
    const before = { ...process.env }
    Object.assign(process.env, env)
    try {
      const { engine, server: http } = (await import(file.href)) as { engine: Engine; server: { close(): void } }
      const worker = await engine.work({ concurrency: 7 })
      const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      while (!(await read()).includes('trawl_worker_places 7\n')) await sleep(50)
      const metrics = await read()
      for (const line of metrics.trimEnd().split('\n')) expect(line).toMatch(/^[a-z_]+ (NaN|\d+(\.\d+)?(e-\d+)?)$/)
      expect(metrics).toMatch(/^trawl_ledger_up 1$/m)
      expect(metrics).toMatch(/^trawl_ledger_round_trip_seconds \d/m)
      await worker.close()
      await engine.close()
      http.close()
    } finally {
      for (const name of Object.keys(env)) {
        if (before[name] === undefined) Reflect.deleteProperty(process.env, name)
        else process.env[name] = before[name]
      }
      await rm(own, { recursive: true })
    }
  }, 60_000)
})
