import { parentPort, workerData } from 'node:worker_threads'
import type * as adblocker from '@ghostery/adblocker'
import { loadPackage } from '../../../base/runtime/optional-package.js'
import type { FilterTask } from './compile-filters.js'

/** Entry point of the worker thread that compiles filter lists and exits. */
const { library, lists } = workerData as FilterTask
const { FiltersEngine } = loadPackage(library) as typeof adblocker
const compiled = FiltersEngine.parse(lists.join('\n')).serialize()
// The result may be a view of a larger buffer: a copy is transferred.
const own = new Uint8Array(compiled)
parentPort?.postMessage(own, [own.buffer])
