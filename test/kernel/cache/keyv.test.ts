import { Keyv } from 'keyv'
import { describe } from 'vitest'
import { keyvCache } from '../../../src/kernel/cache/caches/index.js'
import { cacheContract } from '../../contracts/cache.contract.js'

describe('the cache in a Keyv', () => cacheContract(() => keyvCache(new Keyv()), { isBounded: false }))
