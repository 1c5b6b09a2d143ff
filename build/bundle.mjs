import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { inlineWasm } from './inline-wasm.mjs'
import { loosenOptions } from './loosen-options.mjs'
import { findPackages, writeBillOfMaterials, writeNotices } from './notices.mjs'

/**
 * Bundles the compiled files of `.build/` and the libraries to a few chunks in `dist/`, because opening hundreds of
 * files would make the import slow: each takes a part of a millisecond.
 *
 * Nothing is minified, so that stack traces are readable without source maps. `keepNames` is off, because its helper
 * would be missing where the text of a function runs in a page.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const compiled = join(root, '.build')
const dist = join(root, 'dist')

/** Entries of the package by their path in `dist/`: the library, the command line, and the worker threads. */
const entries = [
  'index',
  'features/opentelemetry/start-telemetry',
  'cli/main',
  'features/thread',
  'features/browser/ad-block/filter-worker',
  'features/search/thread/search-worker',
]

/**
 * Modules that contain the code of a worker thread as text, by the thread's file. A bundle of a user does not include
 * that file.
 */
const packed = new Map([
  ['content/digest/workers/packed-worker.js', 'features/thread.js'],
  ['features/browser/ad-block/packed-filter-worker.js', 'features/browser/ad-block/filter-worker.js'],
  ['features/search/thread/packed-search-worker.js', 'features/search/thread/search-worker.js'],
])

/** Code that re-exports all of some modules of a package of Crawlee. */
const partOf = (name, modules) =>
  modules
    .map((module) => `export * from ${JSON.stringify(join(root, 'node_modules/@crawlee', name, module))}`)
    .join('\n')

/**
 * Modules of Crawlee that are left out, with their replacements. Its storage, sessions, HTTP client, events, HTML and
 * sitemap parsers are never called here and have 2 MB. The lock of its storage installs listeners for every signal of
 * the process, and its configuration would be read from a file of the host. What is loaded holds up the host's thread
 * when the first job of a process starts.
 */
const standIns = new Map([
  [
    '@crawlee/core',
    partOf('core', ['autoscaling/autoscaled_pool.js', 'autoscaling/snapshotter.js', 'configuration.js', 'log.js']),
  ],
  ['@crawlee/utils', partOf('utils', ['internals/general.js'])],
  ['@vladfrangu/async_event_emitter', `export { EventEmitter as AsyncEventEmitter } from 'node:events'`],
  ['@crawlee/memory-storage', 'export class MemoryStorage {}'],
  ['cheerio', 'export default {}'],
  ['csv-stringify/sync', 'export default {}'],
  ['fs-extra', 'export const pathExistsSync = () => false'],
  ['got-scraping', 'export default {}'],
  ['minimatch', 'export default {}'],
  // Checks what trawl gives the pool, by objects of forty accessors: 135 kB for each job, most of which V8 moves to its old space.
  ['ow', 'const anything = new Proxy(() => anything, { get: () => anything })\nexport default anything'],
  ['@apify/ps-tree', 'export default {}'],
  ['sax', 'export default {}'],
  ['stream-json/streamers/StreamArray', 'export default {}'],
])

/**
 * Data of libraries that is left out, by the end of its path: messages of zod in languages other than English (300 kB), and
 * the tables of encodings that Node decodes (`src/content/encoding/decode-text.ts`).
 */
const unusedData = new Map([
  [
    'zod/v4/locales/index.js',
    `export { default as en } from ${JSON.stringify(join(root, 'node_modules/zod/v4/locales/en.js'))}`,
  ],
  ...['cp936', 'eucjp', 'shiftjis', 'gbk-added', 'gb18030-ranges'].map((table) => [
    `iconv-lite/encodings/tables/${table}.json`,
    'module.exports = []',
  ]),
])

/**
 * Dependencies of all libraries that are left out. They are optional to the libraries that require them. A remaining
 * `require` would use `import.meta.url` on import, which a CommonJS bundle does not have.
 */
const absent = new Map([
  ['supports-color', `throw new Error('supports-color is not part of this build')`],
  ['node:sqlite', `throw new Error('node:sqlite is not part of this build')`],
  // Not optional, and replaced: it asks `process.binding()`, of which Node warns with `--pending-deprecation`.
  ['lodash.isequal', `module.exports = require('node:util').isDeepStrictEqual`],
])

/** True for Crawlee's own modules, and for the one that imports it. */
const isCrawlee = (file = '') => file.includes('@crawlee') || file === join(compiled, 'kernel/frontier/crawlee.js')

const findUnusedData = (id) => {
  const code = unusedData.get(id.slice(id.lastIndexOf('node_modules/') + 'node_modules/'.length))
  return code && { code, moduleType: 'js' }
}

const leaveOut = {
  name: 'leave-out',
  resolveId: (name, importer) =>
    absent.has(name) || (standIns.has(name) && isCrawlee(importer)) ? `\0${name}` : undefined,
  load: (id) => absent.get(id.slice(1)) ?? standIns.get(id.slice(1)) ?? findUnusedData(id),
  transform(code, id) {
    // pdf.js uses `import.meta.url` only in a branch that always throws. CommonJS bundles do not have it.
    if (id.includes('/unpdf/')) return code.replaceAll('import.meta.url', 'undefined')
    // zod keeps its settings and descriptions in `globalThis`, for all copies in a process: the host's are not trawl's.
    if (/\/zod\/v4\/core\/(?:core|registries)\.js$/.test(id))
      return `const ownGlobals = {}\n${code.replaceAll('globalThis', 'ownGlobals')}`
    return undefined
  },
}

/**
 * Embeds JSON files of trawl as text for `JSON.parse`: as object literals they would be twice as long and slower to
 * load.
 */
const inlineData = {
  name: 'inline-data',
  transform: (code, id) =>
    id.startsWith(compiled) && id.endsWith('.json')
      ? { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(code)))})`, moduleType: 'js' }
      : undefined,
}

/** Optional peers that are imported by an entry of their own, so that the library and its caller have the same one. */
const peers = ['@opentelemetry/api']

/** Imports modules of Node and never requires them, because a `require` would use `import.meta.url`, too. */
const importBuiltins = esmExternalRequirePlugin({
  external: [...peers, ...builtinModules.flatMap((name) => [name, `node:${name}`])],
})

/** Selects the variant of tslib that sets no globals. */
const resolve = { alias: { tslib: join(root, 'node_modules/tslib/tslib.es6.mjs') } }

async function bundle(input, plugins, output) {
  const build = await rolldown({
    input,
    platform: 'node',
    resolve,
    plugins: [leaveOut, inlineData, inlineWasm, importBuiltins, ...plugins],
    cwd: root,
  })
  try {
    return (await build.generate(output)).output
  } finally {
    await build.close()
  }
}

/** Returns the code of a worker thread as one compressed script. White space is removed, names are kept. */
async function packWorker(file) {
  const [{ code }] = await bundle(join(compiled, file), [], {
    format: 'cjs',
    codeSplitting: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  return deflateRawSync(code, { level: 9 }).toString('base64')
}

/** Data that features have: what `build.mjs` of their folders makes, for a module that has it packed, and for a file. */
const made = await Promise.all(
  readdirSync(join(root, 'src/features'))
    .map((feature) => join(root, 'src/features', feature, 'build.mjs'))
    .filter((file) => existsSync(file))
    .map(async (file) => (await import(pathToFileURL(file).href)).build()),
)

const fillIn = {
  name: 'fill-in',
  async load(id) {
    const data = made.find(({ module }) => id === join(compiled, module))
    if (data) return `export const packed = '${deflateRawSync(data.json, { level: 9 }).toString('base64')}'\n`
    const worker = packed.get(id.slice(compiled.length + 1))
    return worker && `export const packed = '${await packWorker(worker)}'\n`
  },
}

/** Quotes the page of a `@see`: TypeScript takes `docs/` for a name, and editors show `docs /guides/…`. */
const quotePages = (text) => text.replaceAll(/@see (docs\/[\w./-]+\.md(?:#[\w-]+)?)/g, '@see `$1`')

/** Copies the type declarations that can be reached from those that `package.json` exports. */
function copyTypes() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const left = Object.values(exports).flatMap(({ types }) =>
    types ? join(compiled, types.replace(/^.\/dist/, '')) : [],
  )
  const seen = new Set(left)
  for (const file of left) {
    const text = readFileSync(file, 'utf8')
    write(file.slice(compiled.length), quotePages(loosenOptions(text, file)))
    for (const [, name] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)) {
      const next = join(dirname(file), `${name}.d.ts`)
      if (!seen.has(next) && existsSync(next)) left.push(next)
      seen.add(next)
    }
  }
}

const chunks = await bundle(Object.fromEntries(entries.map((name) => [name, join(compiled, `${name}.js`)])), [fillIn], {
  format: 'esm',
  entryFileNames: '[name].js',
  // The largest chunk would be named after the folder `.build`.
  chunkFileNames: ({ name }) => `chunks/${name.replace(/^\.build$/, 'engine')}.js`,
  // V8 keeps the source of a module: without docstrings, an engine with one thread takes 3 MB less.
  comments: { legal: true, annotation: true, jsdoc: false },
  codeSplitting: {
    groups: [
      // What `trawl/opentelemetry` shares with the engine is one file.
      { name: 'tracing', test: /[\\/]\.build[\\/]base[\\/](?:tracing[\\/]|url\.js)/ },
      // What threads, readers of files and parts that are loaded on first use share with the engine would be many small files,
      // which the import opens.
      {
        name: 'basics',
        test: /external-require|[\\/]\.build[\\/](?:base[\\/](?:collections|concurrency[\\/](?:deadline|yield-turn)|http[\\/]link-header|runtime[\\/]optional-package)|features[\\/]\w+[\\/](?:tasks|run-aside))/,
      },
      { name: 'xml', test: /[\\/]\.build[\\/]content[\\/]office[\\/](?:package|warnings|refusals)/ },
    ],
  },
})
rmSync(dist, { recursive: true, force: true })
for (const { fileName, code } of chunks) write(fileName, escapeToAscii(code, fileName))
copyTypes()
for (const { file, json } of made) write(file, json)
const packages = findPackages([...chunks, ...made].flatMap(({ moduleIds = [] }) => moduleIds))
write('THIRD-PARTY.txt', writeNotices(packages))
write('sbom.cdx.json', writeBillOfMaterials(packages, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))))

/**
 * Escapes all characters beyond ASCII. V8 keeps the source of a module, with two bytes for each character if one of them
 * is beyond Latin-1: 6 MB more for an engine with one thread. In templates of `String.raw` an escape becomes part of a
 * regular expression, where it means the same.
 */
function escapeToAscii(code, fileName) {
  return code.replaceAll(/(\\*)([^\0-\x7f])/g, (found, backslashes, character) => {
    if (backslashes.length % 2 === 1) throw new Error(`${fileName} has an escaped character beyond ASCII: ${found}`)
    return `${backslashes}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function write(name, text) {
  const target = join(dist, name)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}
