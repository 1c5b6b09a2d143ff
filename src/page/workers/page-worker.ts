import { serve } from '../../digest/workers/worker.js'
import { pageWorks } from './page-works.js'

// Entry of a worker thread: digests, and other works on a page's bytes.
serve(pageWorks)
