import { parentPort, workerData } from 'node:worker_threads'

/** The entry of a thread that compiles filter lists once. */
const { FiltersEngine } = await import('@ghostery/adblocker')
const lists = workerData as readonly string[]
const compiled = FiltersEngine.parse(lists.join('\n')).serialize()
// Its memory may be a part of more: a copy is given away.
const own = new Uint8Array(compiled)
parentPort?.postMessage(own, [own.buffer])
