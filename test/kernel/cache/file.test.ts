import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { fileCache } from '../../../src/kernel/cache/caches/index.js'
import { cacheContract } from '../../contracts/cache.contract.js'

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

describe('the file cache', () =>
  cacheContract(async (maxBytes) => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    folders.push(folder)
    return fileCache({ folder, maxBytes })
  }))
