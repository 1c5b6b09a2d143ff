import { describe } from 'vitest'
import { memoryCache } from '../../src/cache/caches/index.js'
import { cacheContract } from '../contracts/cache.contract.js'

describe('the memory cache', () => cacheContract((maxBytes) => memoryCache({ maxBytes })))
