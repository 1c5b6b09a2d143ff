import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/** Lets Node load the sources, without Vite. Threads of trawl run built code. */
if (isMainThread) register('./sources-loader.mjs', import.meta.url)
