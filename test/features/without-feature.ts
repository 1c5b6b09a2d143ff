import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { features } from '../../src/features/index.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folders that go with another one. */
const parts: Readonly<Record<string, readonly string[]>> = {
  report: ['src/features/report-view', 'test/features/report-view'],
}

/**
 * Folders of features that are in no engine: functions over what an engine gives, with lines in `src/index.ts`, or an entry of the
 * package. They can be left out as well.
 */
export const entries: readonly string[] = readdirSync(join(root, 'src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => !features.some((feature) => feature.name === name))
  .filter((name) => !Object.values(parts).some((own) => own.includes(`src/features/${name}`)))

/** Commands that a feature has under other names than its own. */
const commands: Readonly<Record<string, readonly string[]>> = {
  archive: ['replay'],
  machines: ['work'],
  report: ['explain', 'show'],
  survey: ['map', 'plan'],
  toolkit: ['mcp'],
}

/** Tests of many features at once: they go with any of them. */
const TOGETHER = 'test/features/together'

/** A copy of the tree without features. */
export interface TreeWithout extends Disposable {
  readonly folder: string
}

/**
 * Tests and benchmarks that stand elsewhere and need a feature: they go with it. One that moves to its feature, or does without it,
 * leaves this list; none is added.
 */
const usesElsewhere: Readonly<Record<string, readonly string[]>> = {
  browser: [
    'test/bars/ads.test.ts',
    'test/bars/adversarial.test.ts',
    'test/bars/large-messages.test.ts',
    'test/bars/waterfall.test.ts',
    'test/base/runtime/check-options.test.ts',
    'test/base/store/postgres.test.ts',
    'test/base/store/s3.test.ts',
    'test/docs/compatibility.test.ts',
    'test/features/report',
    'benchmarks/report',
    'test/kernel/engine/proxies.test.ts',
    'test/kernel/engine/zero-retention.test.ts',
    'test/kernel/job/page-warnings.test.ts',
  ],
  'change-tracking': [
    'test/content/compare/edit-scenarios.test.ts',
    'test/features/formats/models.test.ts',
    'test/features/since/since-stores.test.ts',
    'test/features/since/since.test.ts',
    'test/kernel/engine/zero-retention.test.ts',
    'test/features/machines/worker-places.test.ts',
    'test/features/machines/workers-faults.test.ts',
    'test/features/machines/workers-formats.test.ts',
    'test/package/public-types.test.ts',
  ],
  goal: [
    'benchmarks/search',
    'test/features/permissions/models.test.ts',
    'test/kernel/job/kept-jobs.test.ts',
    'test/features/machines/workers.test.ts',
  ],
  json: [
    'test/base/tracing/channels.test.ts',
    'test/base/tracing/logger.test.ts',
    'test/base/tracing/traced-crawls.ts',
    'test/features/formats/credits-models.test.ts',
    'test/features/formats/injection.test.ts',
    'test/features/formats/model-jobs.test.ts',
    'test/features/formats/models.test.ts',
    'test/features/opentelemetry/start-telemetry.test.ts',
    'test/features/question/question.test.ts',
    'test/kernel/engine/foreign-names.test.ts',
    'test/kernel/job/budget-resume.test.ts',
    'test/features/machines/worker-places.test.ts',
    'test/features/machines/workers-formats.test.ts',
    'test/package/public-types.test.ts',
  ],
  list: [
    'benchmarks/lists',
    'test/bars/lists.test.ts',
    'test/features/machines/worker-places.test.ts',
    'test/features/machines/postgres-readers.test.ts',
    'test/features/machines/workers-formats.test.ts',
    'test/package/list-types.test.ts',
  ],
  machines: [
    'benchmarks/workers',
    'test/base/runtime/check-options.test.ts',
    'test/cli/jobs.test.ts',
    'test/cli/work.test.ts',
    'test/docs/operation.test.ts',
    'test/features/branding/plan.test.ts',
    'test/features/media/plan.test.ts',
    'test/features/own-features/own-jobs.test.ts',
    'test/features/webhooks/postgres.test.ts',
    'test/features/list/items.test.ts',
    'test/kernel/ledger/damaged-jobs.test.ts',
  ],
  offers: [
    'test/features/json/structured.test.ts',
    'test/kernel/engine/foreign-names.test.ts',
    'test/features/machines/worker-places.test.ts',
    'test/package/public-types.test.ts',
  ],
  opentelemetry: ['benchmarks/traces'],
  'own-features': ['test/features/plain-crawl.test.ts', 'benchmarks/login/find-alarms.ts'],
  report: ['test/features/own-features/own-jobs.test.ts', 'test/package/public-api.test.ts'],
  screenshot: [
    'test/features/branding/plan.test.ts',
    'test/features/own-features/own-fetcher.test.ts',
    'test/features/report/injection.test.ts',
    'test/kernel/engine/media.test.ts',
    'test/features/machines/worker-places.test.ts',
    'test/features/machines/workers-formats.test.ts',
  ],
  since: [
    'test/features/own-features/own-request.test.ts',
    'test/features/permissions/job.test.ts',
    'test/features/search/embedding.test.ts',
    'test/features/search/search.test.ts',
    'test/features/webhooks/webhooks.test.ts',
    'test/kernel/engine/zero-retention.test.ts',
    'test/package/public-types.test.ts',
  ],
  summary: [
    'test/base/tracing/logger.test.ts',
    'test/features/formats/credits-models.test.ts',
    'test/features/formats/models.test.ts',
    'test/features/json/json.test.ts',
    'test/features/media/plan.test.ts',
    'test/features/watch/watch-call.test.ts',
    'test/features/watch/watch-life.test.ts',
    'test/features/survey/prompt.test.ts',
    'test/kernel/job/restore.test.ts',
    'test/features/machines/worker-places.test.ts',
    'test/package/public-types.test.ts',
  ],
  toolkit: ['test/bars/agent-calls.test.ts', 'test/cli/mcp.test.ts', 'test/package/ai-sdk-types.test.ts'],
  webhooks: ['test/kernel/ledger/damaged-files.test.ts'],
}

/**
 * Copies parts of the tree, and removes of each feature its folder, tests, benchmarks, commands and tool for agents, and what the lists
 * say of it: the lines that name its folder, its lines of tasks and threads, its name in the array, its entry of the package. Features
 * that need one of them go as well.
 */
export function copyWithout(names: readonly string[], copied: readonly string[]): TreeWithout {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-test-without-'))
  for (const part of copied) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const gone = new Set(names)
  for (const { name, needs = [] } of features) if (needs.some((one) => gone.has(one))) gone.add(name)
  for (const name of gone) removeFeature(name, folder)
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Returns the folders and files that go with a feature. */
export const pathsOf = (feature: string): readonly string[] => [
  ...['src/features', 'test/features', 'src/cli', 'benchmarks'].map((place) => `${place}/${feature}`),
  ...(parts[feature] ?? []),
  ...(usesElsewhere[feature] ?? []),
  TOGETHER,
]

function removeFeature(feature: string, folder: string): void {
  const plugIns = ['src/cli/commands', 'src/features/toolkit/tools']
  const named = [feature, ...(commands[feature] ?? [])]
  const files = plugIns.flatMap((place) => named.map((name) => `${place}/${name}.ts`))
  for (const path of [...pathsOf(feature), ...files]) rmSync(join(folder, path), { recursive: true, force: true })
  const lists = [
    'src/index.ts',
    'src/features/index.ts',
    'src/features/tasks.ts',
    'src/features/digest-parts.ts',
    'build/bundle.mjs',
  ]
  const identifier = identifierOf(feature)
  const folders = [`'./${feature}/`, `'./features/${feature}/`, `'features/${feature}/`, `'${feature}/`]
  const lines = [...folders, ...named.map((name) => `'./${name}.js'`)]
  for (const list of [...lists, ...plugIns.map((place) => `${place}/index.ts`)])
    changeFile(join(folder, list), (text) =>
      text
        .split('\n')
        .filter((line) => !lines.some((name) => line.includes(name)))
        .join('\n')
        .replace(new RegExp(`(?<=[[ ])${identifier}(?:,\\s+|(?=,?\\s*\\]))`), ''),
    )
  changeFile(join(folder, 'package.json'), (text) => JSON.stringify(withoutPaths(JSON.parse(text), feature)))
}

function changeFile(path: string, change: (text: string) => string): void {
  if (existsSync(path)) writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** Removes what has a path in the folder of a feature, from the exports and the imports of a package. */
function withoutPaths(described: Record<'exports' | 'imports', object>, feature: string): object {
  const leads = (target: unknown) => JSON.stringify(target).includes(`./dist/features/${feature}/`)
  const left = (table: object) => Object.fromEntries(Object.entries(table).filter(([, target]) => !leads(target)))
  return { ...described, exports: left(described.exports), imports: left(described.imports) }
}

/** Returns the name of the constant of a feature. */
export const identifierOf = (feature: string): string =>
  feature.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

const run = promisify(execFile)

/** Runs a script of Node in the tree, and returns what it prints, also where it fails. */
export const print = (folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  run(process.execPath, args, { cwd: folder, maxBuffer: 1e8, env: { ...process.env, NO_COLOR: '1', ...env } }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => `failed: ${error.stdout}${error.stderr}`,
  )
