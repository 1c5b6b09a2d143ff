/** Prints what differs in its process after the library was imported and has crawled a site. */
const shared = {
  Object,
  Array,
  Function,
  String,
  Number,
  Date,
  RegExp,
  Promise,
  Map,
  Set,
  Error,
  Symbol,
  JSON,
  Math,
  URL,
}
const used = { Buffer, Uint8Array, ArrayBuffer, EventTarget, AbortSignal, AbortController, console }

/** Names of the global objects, and of the properties of those that libraries extend. */
const listGlobals = () => [
  ...Reflect.ownKeys(globalThis).map(String),
  ...Object.entries({ ...shared, ...used }).flatMap(([name, value]) => [
    ...Reflect.ownKeys(value).map((key) => `${name}.${String(key)}`),
    ...Reflect.ownKeys(value.prototype ?? {}).map((key) => `${name}.prototype.${String(key)}`),
  ]),
]
const listListeners = () => process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`)
const readSettings = () => JSON.stringify([process.env, Error.stackTraceLimit, process.exitCode, process.cwd()])
// From Node 22 on, this alone loads Node's own `fetch()`, which keeps its dispatcher in `globalThis`.
await import('node:http')
const before = { globals: listGlobals(), listeners: listListeners(), settings: readSettings() }

const { createEngine } = await import('trawl')
const engine = createEngine({ allowPrivateNetworks: true })
const job = engine.crawl({ url: `${process.argv[2]}/`, limit: 10 })
let documents = 0
for await (const _ of job) documents += 1
await engine.close()

console.log(
  JSON.stringify({
    documents,
    globals: listGlobals().filter((name) => !before.globals.includes(name)),
    listeners: listListeners().filter((name) => !before.listeners.includes(name)),
    hasSameSettings: readSettings() === before.settings,
  }),
)
