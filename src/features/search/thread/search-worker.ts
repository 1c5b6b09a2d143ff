import { parentPort, workerData } from 'node:worker_threads'
import { connectTo } from '../../../base/sqlite/driver.js'
import { IndexThread } from './index-calls.js'
import type { IndexRequest, IndexThreadData } from './protocol.js'

/** Entry point of the thread that has the index: it splits pages into chunks, writes them, and searches them. */
const { library, file } = workerData as IndexThreadData
const thread = new IndexThread(
  () => connectTo(library)(file),
  (response) => parentPort?.postMessage(response, []),
)
parentPort?.on('message', (request: IndexRequest) => {
  thread.answer(request)
  if (request.call === 'close') parentPort?.close()
})
